package bt

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// splits reports by brute force whether some of n items never lost to the rest
// (a direction in which the likelihood never falls), and whether some were never
// compared with the rest.
func splits(w [][]float64) (separable, disconnected bool) {
	n := len(w)
	for set := 1; set < 1<<n-1; set++ {
		lost, met := false, false
		for i := range n {
			for j := range n {
				if set>>i&1 == 1 && set>>j&1 == 0 {
					lost = lost || w[j][i] > 0
					met = met || w[j][i]+w[i][j] > 0
				}
			}
		}
		separable, disconnected = separable || !lost, disconnected || !met
	}
	return separable, disconnected
}

// checkFit holds every outcome of Fit against the definition: the score
// equations, or the reason why there is no maximum.
func checkFit(t *testing.T, d *Data) {
	m, err := Fit(d, nil)
	w := wins(d)
	separable, disconnected := splits(w)
	if err == nil {
		require.False(t, separable, "fitted what has no maximum")
		checkScores(t, w, m)
		return
	}
	if errors.Is(err, ErrNoData) {
		require.Empty(t, d.cells)
		return
	}
	var dis *DisconnectedError
	if errors.As(err, &dis) {
		require.True(t, disconnected, err)
		return
	}
	var sep *SeparableError
	require.ErrorAs(t, err, &sep)
	require.True(t, separable && !disconnected, err)
	checkGroups(t, d, w, sep)
}

func checkScores(t *testing.T, w [][]float64, m *Model) {
	for i := range w {
		score, n := 0.0, 0.0
		for j := range w {
			expected := (w[i][j] + w[j][i]) * sigmoid(m.x[i]-m.x[j])
			score += w[i][j] - expected
			n += w[i][j] + w[j][i]
		}
		require.InDelta(t, 0, score/n, 1e-9)
	}
}

// checkGroups wants every item in one group, and none beaten from below.
func checkGroups(t *testing.T, d *Data, w [][]float64, sep *SeparableError) {
	group := map[string]int{}
	for g, members := range sep.Groups {
		for _, name := range members {
			require.NotContains(t, group, name)
			group[name] = g
		}
	}
	require.Len(t, group, len(d.items))
	for i, a := range d.items {
		for j, b := range d.items {
			if group[a] > group[b] {
				require.Zero(t, w[i][j], "%s beat %s of a better group", a, b)
			}
		}
	}
}

func FuzzFit(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed%6), uint8(10*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n, games uint8) {
		rng := rand.New(rand.NewPCG(seed, 0))
		checkFit(t, tournament(rng, 2+int(n%6), int(games)))
	})
}

func TestExistenceAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		checkFit(t, tournament(rng, 2+rng.IntN(5), rng.IntN(20)))
	}
}

func TestSeparableNamesBothEnds(t *testing.T) {
	var d Data
	d.AddWin("top", "mid", 2)
	d.AddTie("mid", "also mid", 1)
	d.AddWin("also mid", "bottom", 2)
	_, err := Fit(&d, nil)
	var sep *SeparableError
	require.ErrorAs(t, err, &sep)
	assert.Equal(t, []string{"top"}, sep.Undefeated)
	assert.Equal(t, []string{"bottom"}, sep.Winless)
	assert.Equal(t, [][]string{{"top"}, {"mid", "also mid"}, {"bottom"}}, sep.Groups)
	assert.EqualError(t, err, "bt: no finite ranking exists: top never lost and bottom never won; "+
		"a prior, or leaving out the items at the ends of {top} > {mid, also mid} > {bottom}, would give one")
}

// Two leagues that each have a ranking, joined by games that one league won.
func TestSeparableGroupsWithoutUndefeatedItems(t *testing.T) {
	var d Data
	for _, league := range [][2]string{{"a", "b"}, {"c", "d"}} {
		d.AddWin(league[0], league[1], 1)
		d.AddWin(league[1], league[0], 1)
	}
	d.AddWin("d", "a", 1)
	_, err := Fit(&d, nil)
	var sep *SeparableError
	require.ErrorAs(t, err, &sep)
	assert.Empty(t, sep.Undefeated)
	assert.Empty(t, sep.Winless)
	assert.Equal(t, [][]string{{"c", "d"}, {"a", "b"}}, sep.Groups)
	assert.ErrorContains(t, err, "one group of items never lost to the rest")
}

// Tarjan's search must not recurse: a chain is as deep as it is long.
func TestLongChain(t *testing.T) {
	const n = 200_000
	next := make([][]int32, n)
	for v := range n - 1 {
		next[v] = []int32{int32(v + 1)}
	}
	assert.Len(t, tarjan(next), n)
	next[n-1] = []int32{0}
	assert.Len(t, tarjan(next), 1)
}
