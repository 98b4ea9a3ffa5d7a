package bt

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// exercise asks a model everything. Nothing may panic, and what is returned
// without an error must be a number.
func exercise(t *testing.T, m *Model) {
	for _, x := range m.LogStrengths() {
		require.False(t, math.IsNaN(x) || math.IsInf(x, 0))
	}
	_, err := m.Ranking(nil)
	require.NoError(t, err)
	items := m.Items()
	p, err := m.Prob(items[0], items[1], nil)
	require.NoError(t, err)
	require.False(t, math.IsNaN(p.Lo) || math.IsNaN(p.Hi))
	m.Fitness()
	_, _, _ = m.QuasiVariances()
	_, _ = m.ProfileInterval(items[0], items[1], 0.9)
	_, _ = m.Robust()
	_, _ = m.Robust("g")
	_, _ = m.LeaveOut("g")
	_, _ = m.Bootstrap(&BootstrapOptions{Replicates: 3})
	_, _ = m.Bootstrap(&BootstrapOptions{Replicates: 3, By: []string{"g"}})
	_, _ = m.Heterogeneity("g", &BootstrapOptions{Replicates: 3})
}

// FuzzAnyNumbers reads comparisons from bytes: 2 of items, order and group, 8
// of outcome or weight.
func FuzzAnyNumbers(f *testing.F) {
	row := func(who byte, kind byte, x float64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{who, kind}, math.Float64bits(x))
	}
	var seed []byte
	for i, x := range []float64{1, 1e300, 1e-300, 0.3, 2, 5, math.NaN(), -1, 1e12, 1, 1} {
		seed = append(seed, row(byte(i*37), byte(i*11), x)...)
	}
	f.Add(uint8(0), seed)
	f.Add(uint8(1), seed[:60])
	f.Add(uint8(2), append(row(1, 0, 1e300), row(4, 0, 1e-300)...))
	f.Add(uint8(6), append(row(1, 2, 3), row(4, 2, 1)...))
	f.Add(uint8(13), append(row(1, 0, 3), row(4, 1, 1)...))
	f.Add(uint8(33), []byte("10000000001100000007")) // nearly certain ties
	f.Add(uint8(22), append(row(1, 0, 3), row(5, 5, 1)...))
	f.Fuzz(func(t *testing.T, mode uint8, rows []byte) {
		o := &Options{Ties: TieModel(mode % 4), OrderEffect: mode/4%2 == 1}
		o.Prior = []Prior{nil, nil, Gaussian{SD: 2}, Jeffreys{}, VirtualPlayer{Wins: 0.5}, PseudoWins{PerPair: 1}}[mode/8%6]
		d := new(Data)
		for ; len(rows) >= 10 && len(d.cells) < 60; rows = rows[10:] {
			addRow(d, rows)
		}
		if m, err := Fit(d, o); err == nil {
			exercise(t, m)
		} else {
			require.NotEmpty(t, err.Error())
		}
		_, _ = Pool(d, "g", o)
		_, _ = FitRatios(d, nil)
	})
}

func addRow(d *Data, row []byte) {
	names := []string{"a", "b", "c", "d"}
	a, b, kind := names[row[0]%4], names[row[0]/4%4], row[1]
	x := math.Float64frombits(binary.LittleEndian.Uint64(row[2:]))
	group := map[string]string{"g": names[kind/8%4]}
	switch kind % 8 {
	case 0:
		d.AddWin(a, b, x)
	case 1:
		d.AddTie(a, b, x)
	case 2:
		d.Add(Comparison{A: a, B: b, Outcome: 1, Count: x, Group: group})
	case 3:
		d.Add(Comparison{A: a, B: b, Outcome: 0, Weight: x, Group: group})
	case 4:
		d.Add(Comparison{A: a, B: b, Outcome: x, Group: group})
	case 5:
		d.AddContest(Contest{Scores: map[string]float64{a: x, b: 2, "e": 1}, Group: group}, nil)
	case 6:
		d.AddContest(Contest{Scores: map[string]float64{a: 1, b: 2}, Weight: x, Group: group}, &ContestOptions{LowerIsBetter: true})
	default:
		d.Add(Comparison{A: a, B: b, Outcome: 0.5, Count: x, Neutral: true, Group: group})
	}
}
