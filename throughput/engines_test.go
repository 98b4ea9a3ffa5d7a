package throughput

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/servemath/internal/resample"
	"example.com/servemath/internal/testkit"
	"example.com/servemath/internal/tsv"
	"example.com/servemath/throughput/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testdata/pairwise.tsv: every line as printed, so to its three decimals.
func TestPublishedPairs(t *testing.T) {
	rows := publishedRows(t)
	lines := 0
	for _, l := range pairwise(t) {
		c, err := CompareEngines(rows, l.Text("a"), l.Text("b"), &EngineOptions{
			Platform: l.Text("platform"), Setup: l.Text("setup"), Replicates: 10})
		require.NoError(t, err)
		name := fmt.Sprint(l.Text("platform"), ", ", l.Text("setup"), ", ", l.Text("a"), " / ", l.Text("b"))
		assert.Equal(t, l.Text("n"), fmt.Sprint(c.N), name)
		assert.Equal(t, l.Text("machines"), fmt.Sprint(c.Machines), name)
		assert.Equal(t, l.Text("geomean"), fmt.Sprintf("%.3f", c.Estimate), name)
		assert.Equal(t, l.Text("row_interval"), fmt.Sprintf("%.3f-%.3f", c.Rows.Lo, c.Rows.Hi), name)
		assert.Equal(t, l.Text("machine_interval"), fmt.Sprintf("%.3f-%.3f", c.ByMachine.Lo, c.ByMachine.Hi), name)
		assert.Equal(t, l.Text("wins_ties_losses"), fmt.Sprintf("%d-%d-%d", c.Wins, c.Ties, c.Losses), name)
		lines++
	}
	assert.Equal(t, 80, lines)
}

func pairwise(t *testing.T) []tsv.Row {
	t.Helper()
	f, err := os.Open("testdata/pairwise.tsv")
	require.NoError(t, err)
	defer f.Close()
	var out []tsv.Row
	for r, err := range tsv.Read(f, "pairwise.tsv", "a", "b", "geomean", "holm_p") {
		require.NoError(t, err)
		out = append(out, r)
	}
	return out
}

// two gives engines A and B the values a[i] and b[i] on machine m[i].
func two(m []string, a, b []float64) []Row {
	var rows []Row
	for i := range m {
		model := fmt.Sprint("model ", i)
		rows = append(rows, Row{"P", m[i], model, "S", "A", a[i]}, Row{"P", m[i], model, "S", "B", b[i]})
	}
	return rows
}

func TestVerdictOfEngines(t *testing.T) {
	four := []string{"m1", "m2", "m3", "m4"}
	hundred := []float64{100, 100, 100, 100}
	for _, c := range []struct {
		name    string
		m       []string
		a       []float64
		lower   bool
		verdict Verdict
		warning error
	}{
		{"faster", four, []float64{120, 121, 119, 120}, false, Faster, nil},
		{"slower", four, []float64{80, 81, 79, 80}, false, Slower, nil},
		{"lower is better", four, []float64{80, 81, 79, 80}, true, Faster, nil},
		{"higher is worse", four, []float64{120, 121, 119, 120}, true, Slower, nil},
		{"a sure difference within the margin", four, []float64{101, 101.1, 101, 100.9}, false, Equivalent, nil},
		{"no difference within the margin", four, []float64{100.1, 99.9, 100.2, 99.8}, false, Equivalent, nil},
		{"noise", four, []float64{130, 80, 120, 90}, false, Inconclusive, nil},
		{"one machine", []string{"m", "m", "m", "m"}, []float64{120, 121, 119, 120}, false, Inconclusive, ErrTooFew},
		{"two machines", []string{"m", "m", "n", "n"}, []float64{120, 121, 119, 120}, false, Faster, ErrTooFew},
		{"same everywhere", four, []float64{120, 120, 120, 120}, false, Faster, ErrNoVariation},
		{"identical", four, hundred, false, Equivalent, ErrNoVariation},
		{"rows against machines", []string{"m1", "m1", "m1", "m2"}, []float64{110, 110, 110, 80}, false, Inconclusive, ErrDisagree},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := CompareEngines(two(c.m, c.a, hundred), "A", "B", &EngineOptions{LowerIsBetter: c.lower})
			require.NoError(t, err)
			assert.Equal(t, c.verdict, got.Verdict, got)
			if c.warning == nil {
				assert.Empty(t, got.Warnings)
			} else {
				assert.ErrorIs(t, errors.Join(got.Warnings...), c.warning)
			}
		})
	}
}

func TestOneMachineIsUnbounded(t *testing.T) {
	c, err := CompareEngines(two([]string{"m"}, []float64{110}, []float64{100}), "A", "B", nil)
	require.NoError(t, err)
	assert.InDelta(t, 1.1, c.ByMachine.Estimate, 1e-15)
	assert.Zero(t, c.ByMachine.Lo)
	assert.True(t, math.IsInf(c.ByMachine.Hi, 1))
	assert.Equal(t, c.ByMachine, c.Bootstrap, "one machine drawn again and again is no interval")
	assert.True(t, math.IsNaN(c.P))
	b, err := json.Marshal(c)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"by_machine":{"estimate":1.1`)
	assert.Contains(t, string(b), `"hi":"+Inf"`)
	assert.NotContains(t, string(b), `"p":`)
}

func TestCompareEnginesRefuses(t *testing.T) {
	good := two([]string{"m1", "m2"}, []float64{1, 2}, []float64{3, 4})
	bad := func(v float64) []Row { return append(slices.Clone(good), Row{"P", "m3", "x", "S", "A", v}) }
	for _, c := range []struct {
		name string
		rows []Row
		a, b string
		o    *EngineOptions
		err  error
		row  int // -1: the error names no row
	}{
		{"nothing", nil, "A", "B", nil, ErrEmpty, -1},
		{"itself", good, "A", "A", nil, ErrUnpaired, -1},
		{"unknown engine", good, "A", "C", nil, ErrUnpaired, -1},
		{"no common place", []Row{{Machine: "m", Engine: "A", Value: 1}, {Machine: "n", Engine: "B", Value: 1}}, "A", "B", nil, ErrUnpaired, -1},
		{"unknown setup", good, "A", "B", &EngineOptions{Setup: "T"}, ErrEmpty, -1},
		{"NaN", bad(math.NaN()), "A", "B", nil, ErrNonFinite, 4},
		{"infinite", bad(math.Inf(1)), "A", "B", nil, ErrNonFinite, 4},
		{"zero", bad(0), "A", "B", nil, ErrNonPositive, 4},
		{"negative", bad(-1), "A", "B", nil, ErrNonPositive, 4},
		{"twice", append(slices.Clone(good), good[0]), "A", "B", nil, ErrDuplicate, 4},
		{"level", good, "A", "B", &EngineOptions{Level: 95}, ErrOptions, -1},
		{"NaN level", good, "A", "B", &EngineOptions{Level: math.NaN()}, ErrOptions, -1},
		{"margin", good, "A", "B", &EngineOptions{Margin: -1}, ErrOptions, -1},
		{"replicates", good, "A", "B", &EngineOptions{Replicates: -1}, ErrOptions, -1},
	} {
		_, err := CompareEngines(c.rows, c.a, c.b, c.o)
		require.ErrorIs(t, err, c.err, c.name)
		if row, ok := errors.AsType[*RowError](err); assert.Equal(t, c.row >= 0, ok, c.name) && ok {
			assert.Equal(t, c.row, row.Index, c.name)
		}
	}
}

func TestEngineComparisonProperties(t *testing.T) {
	rows := publishedRows(t)
	o := &EngineOptions{Platform: "NVIDIA GPU", Setup: "Batched decode"}
	ab, err := CompareEngines(rows, "Pie", "vLLM", o)
	require.NoError(t, err)

	ba, err := CompareEngines(rows, "vLLM", "Pie", o)
	require.NoError(t, err)
	testkit.Rel(t, 1, ab.Estimate*ba.Estimate, 1e-14, "reciprocal estimate")
	testkit.Rel(t, 1, ab.ByMachine.Lo*ba.ByMachine.Hi, 1e-14, "reciprocal interval")
	testkit.Rel(t, ab.P, ba.P, 1e-12, "P")
	assert.Equal(t, []int{ab.Wins, ab.Ties, ab.Losses}, []int{ba.Losses, ba.Ties, ba.Wins})

	shuffled := slices.Clone(rows)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again, err := CompareEngines(shuffled, "Pie", "vLLM", o)
	require.NoError(t, err)
	assert.Equal(t, ab, again, "the order of rows does not matter, to the last bit")

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	single, err := CompareEngines(rows, "Pie", "vLLM", o)
	require.NoError(t, err)
	assert.Equal(t, ab, single, "nor the number of processors")
}

// A plain twin of the bootstrap draws the same machines and averages their rows
// one by one.
func TestBootstrapAgainstItsTwin(t *testing.T) {
	rows := two([]string{"m1", "m1", "m2", "m3", "m3", "m3"}, []float64{110, 120, 90, 100, 105, 130}, []float64{100, 100, 100, 100, 100, 100})
	c, err := CompareEngines(rows, "A", "B", &EngineOptions{Replicates: 500, Seed: 9})
	require.NoError(t, err)
	machines := [][]float64{{1.1, 1.2}, {0.9}, {1, 1.05, 1.3}}
	var ratios []float64
	for r := range 500 {
		pcg := resample.Source(9, r)
		var drawn []float64
		for range machines {
			u := float64(pcg.Uint64()>>11) / (1 << 53)
			drawn = append(drawn, machines[int(u*float64(len(machines)))]...)
		}
		g, err := stat.Geomean(drawn)
		require.NoError(t, err)
		ratios = append(ratios, g)
	}
	for _, q := range []struct{ got, q float64 }{{c.Bootstrap.Lo, 0.025}, {c.Bootstrap.Hi, 0.975}} {
		want, err := stat.Quantile(ratios, q.q, stat.Type7)
		require.NoError(t, err)
		testkit.Rel(t, want, q.got, 1e-3, "percentile %g", q.q) // interpolated on logs here, on ratios there
	}
}

func TestRounding(t *testing.T) {
	for _, c := range []struct{ x, step float64 }{
		{205, 1}, {100, 1}, {21112, 1}, {99.9, 0.1}, {66.3, 0.1}, {57, 0.1}, {9, 0.1}, {100.5, 0}, {66.31, 0}, {0.05, 0},
	} {
		assert.Equal(t, c.step, step(c.x), "%g", c.x)
	}
	c, err := CompareEngines(two([]string{"m1", "m2", "m3", "m4"}, []float64{206, 205, 66.4, 300}, []float64{205, 205, 66.3, 200}), "A", "B", nil)
	require.NoError(t, err)
	assert.Equal(t, []int{3, 1, 0, 2}, []int{c.Wins, c.Ties, c.Losses, c.OneStep})
	want := (0.5/206 + 0.5/205 + 0.5/205*2 + 0.05/66.4 + 0.05/66.3 + 0.5/300 + 0.5/200) / 4
	testkit.Rel(t, want, c.RoundingError, 0.01, "half a step of each figure")
}

func TestRowText(t *testing.T) {
	r := Row{"Apple", "M5", "Gemma", "", "Pie", 2.5}
	assert.Equal(t, "Pie on Apple, M5, Gemma: 2.5", r.String())
	assert.Equal(t, "Pie: 1", Row{Engine: "Pie", Value: 1}.String())
	b, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Equal(t, `{"platform":"Apple","machine":"M5","model":"Gemma","engine":"Pie","value":2.5}`, string(b))
	assert.True(t, strings.HasPrefix(Verdict(9).String(), "Verdict("))
}
