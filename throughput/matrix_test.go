package throughput

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"example.com/servemath/throughput/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// All 80 pairs at once: the same figures as one by one, and verdicts that hold
// together.
func TestCompareAllPublished(t *testing.T) {
	rows := publishedRows(t)
	all, err := CompareAll(rows, nil)
	require.NoError(t, err)
	require.Len(t, all, 80)
	raw := 0
	established := 0
	for _, c := range all {
		one, err := CompareEngines(rows, c.A, c.B, &EngineOptions{Platform: c.Platform, Setup: c.Setup})
		require.NoError(t, err)
		if one.Verdict != c.Verdict {
			assert.Equal(t, Inconclusive, c.Verdict)
			assert.GreaterOrEqual(t, c.AdjustedP, 0.05)
			one.Verdict = c.Verdict
		}
		assert.Equal(t, one, c.EngineComparison)
		assert.GreaterOrEqual(t, c.AdjustedP, c.P)
		if c.P < 0.05 {
			raw++
		}
		if c.AdjustedP < 0.05 {
			established++
		}
	}
	t.Logf("P below 5%%: %d of 80 by machines, %d after Holm", raw, established)
	assert.Equal(t, 10, established, "of 80 pairs, by machines")
}

// The row-level P values after Holm, as pairwise.tsv has them: 39 pairs below 5%
// where machines support 10.
func TestNaiveHolmOverRows(t *testing.T) {
	rows := publishedRows(t)
	lines := pairwise(t)
	var p []float64
	for _, l := range lines {
		o := EngineOptions{Platform: l.Text("platform"), Setup: l.Text("setup")}
		ix, err := newIndex(rows, o.admits)
		require.NoError(t, err)
		var logs []float64
		for _, q := range ix.pairs(l.Text("a"), l.Text("b")) {
			logs = append(logs, math.Log(q.a/q.b))
		}
		r, err := stat.OneSample(logs)
		require.NoError(t, err)
		p = append(p, r.P)
	}
	below := 0
	for i, adjusted := range stat.Holm(p) {
		assert.Equal(t, lines[i].Text("holm_p"), fmt.Sprintf("%.2g", adjusted), "%s / %s", lines[i].Text("a"), lines[i].Text("b"))
		if adjusted < 0.05 {
			below++
		}
	}
	assert.Equal(t, 39, below)
}

func TestCompareAllRefuses(t *testing.T) {
	_, err := CompareAll(nil, nil)
	assert.ErrorIs(t, err, ErrEmpty)
	_, err = CompareAll([]Row{{Engine: "A", Value: math.NaN()}}, nil)
	assert.ErrorIs(t, err, ErrNonFinite)
	_, err = CompareAll([]Row{{Engine: "A", Value: 1}}, &EngineOptions{Level: 2})
	assert.ErrorIs(t, err, ErrOptions)
	none, err := CompareAll([]Row{{Engine: "A", Value: 1}}, nil)
	require.NoError(t, err)
	assert.Empty(t, none, "one engine has no pair")
}

func TestWriteMatrix(t *testing.T) {
	rows := two([]string{"m1", "m2", "m3", "m4"}, []float64{120, 121, 119, 120}, []float64{100, 100, 100, 100})
	for i, v := range []float64{100.2, 99.8, 100.1, 99.9} {
		rows = append(rows, Row{"P", fmt.Sprint("m", i+1), fmt.Sprint("model ", i), "S", "C", v})
	}
	all, err := CompareAll(rows, nil)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, WriteMatrix(&b, all))
	assert.Equal(t, `P, S
         A       B       C
  A          1.200+  1.200+
  B  0.833-          1.000=
  C  0.833-  1.000=
`, b.String())
	assert.ErrorIs(t, WriteMatrix(failing{}, all), errors.ErrUnsupported)
	out, err := json.Marshal(all[0])
	require.NoError(t, err)
	assert.Contains(t, string(out), `{"platform":"P","setup":"S","a":"A","b":"B","n":4,"machines":4,"ratio":1.19`)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func BenchmarkCompareAllPublished(b *testing.B) {
	rows := publishedRows(b)
	for b.Loop() {
		all, err := CompareAll(rows, nil)
		if err != nil || len(all) != 80 {
			b.Fatal(len(all), err)
		}
	}
}
