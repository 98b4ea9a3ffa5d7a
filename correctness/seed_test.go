package correctness

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/testdata"
)

// published is a row of the page's correctness table.
type published struct {
	line, machine, model, result, reference string
	kl                                      float64
}

func publishedRows(tb testing.TB) (out []published) {
	tb.Helper()
	r := csv.NewReader(strings.NewReader(testdata.Correctness))
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	require.NoError(tb, err)
	require.Equal(tb, []string{"line", "platform", "machine", "model", "result", "reference", "kl_nats", "kl_text"}, rows[0])
	for _, row := range rows[1:] {
		kl, err := strconv.ParseFloat(row[7], 64)
		require.NoError(tb, err, "line %s", row[0])
		out = append(out, published{row[0], row[2], row[3], row[4], row[5], kl})
	}
	return out
}

// halfDigit is half a unit of the four decimals that the page prints.
const halfDigit = 0.00005

// Every published verdict agrees with one threshold anywhere in [0.14925, 0.39885):
// within the rounding of its figure, no passing row is over it and no failing row
// within it. Farther than a rounding from both ends the verdicts are the page's.
func TestPublishedVerdicts(t *testing.T) {
	rows := publishedRows(t)
	require.Len(t, rows, 271)
	want := map[string]Outcome{"pass": Pass, "fail": Fail}
	counts, zeros := map[string]int{}, 0
	for _, r := range rows {
		counts[r.reference+" "+r.result]++
		if r.kl == 0 {
			zeros++
		}
		for _, tau := range []float64{0.14925, 0.1493, 0.14936, 0.15, 0.2, 0.25, 0.3, 0.35, 0.3987, 0.3988, 0.398849} {
			v := JudgeFigure(r.kl, halfDigit, Criterion{MaxMeanKL: tau})
			assert.LessOrEqual(t, v.Lo, r.kl)
			assert.InDelta(t, r.kl+halfDigit, v.Hi, 1e-15, "the verdict carries the rounding")
			if tau > 0.14935 && tau < 0.39875 {
				assert.Equal(t, want[r.result], v.Outcome, "line %s at %g: %s", r.line, tau, v.Reason)
			} else {
				assert.Contains(t, []Outcome{want[r.result], Inconclusive}, v.Outcome, "line %s at %g", r.line, tau)
			}
		}
	}
	assert.Equal(t, map[string]int{"vLLM pass": 222, "vLLM fail": 3, "MLX pass": 46}, counts)
	assert.Equal(t, 87, zeros, "figures below 0.00005")
}

// The two rows that bracket the threshold.
func TestPublishedBracket(t *testing.T) {
	var largestPass, smallestFail published
	for _, r := range publishedRows(t) {
		if r.result == "pass" && r.kl > largestPass.kl {
			largestPass = r
		}
		if r.result == "fail" && (smallestFail.line == "" || r.kl < smallestFail.kl) {
			smallestFail = r
		}
	}
	assert.Equal(t, "949", largestPass.line)
	assert.Equal(t, 0.1493, largestPass.kl)
	assert.Equal(t, "Gemma-4-26B", largestPass.model)
	assert.Equal(t, "1093", smallestFail.line)
	assert.Equal(t, 0.3988, smallestFail.kl)
	for _, c := range []struct {
		tau        float64
		pass, fail Outcome
	}{
		{0.1492, Fail, Fail}, // below the bracket
		{0.1493, Inconclusive, Fail},
		{0.2, Pass, Fail},
		{0.3988, Pass, Inconclusive},
		{0.3989, Pass, Pass},
	} {
		assert.Equal(t, c.pass, JudgeFigure(largestPass.kl, halfDigit, Criterion{MaxMeanKL: c.tau}).Outcome, "largest pass at %g", c.tau)
		assert.Equal(t, c.fail, JudgeFigure(smallestFail.kl, halfDigit, Criterion{MaxMeanKL: c.tau}).Outcome, "smallest fail at %g", c.tau)
	}
}
