package correctness

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sampleSummary is 40 prompts of 25 positions, of mean KL 0.02 and 98% agreement.
func sampleSummary(tb testing.TB) Summary {
	tb.Helper()
	a := &Accumulator{}
	for g := range 40 {
		for i := range 25 {
			p := at(0.02 * (1 + 0.5*math.Sin(float64(g))) * (1 + 0.3*math.Cos(float64(i))))
			p.Agree = (g*25+i)%50 != 0
			require.NoError(tb, a.Add(string(rune('a'+g)), i, p))
		}
	}
	return summarize(tb, a)
}

func TestJudge(t *testing.T) {
	s := sampleSummary(t)
	few := s
	few.Prompts = 9
	excluded := s
	excluded.Excluded = 2 // of 1,002
	tolerable := s
	tolerable.Excluded = 1
	floored := s
	floored.LowerBounds = 5
	infinite := s
	infinite.MeanKL, infinite.Lo, infinite.Hi, infinite.Infinite = inf, inf, inf, 3
	listed := s
	listed.Bounded = s.N
	sketched := s
	sketched.QuantileError = 0.01
	for name, c := range map[string]struct {
		s      Summary
		c      Criterion
		want   Outcome
		reason string
	}{
		"pass":                   {s, Criterion{MaxMeanKL: 0.05}, Pass, "within the limit of 0.05"},
		"fail":                   {s, Criterion{MaxMeanKL: 0.01}, Fail, "over the limit of 0.01"},
		"straddles":              {s, Criterion{MaxMeanKL: 0.0205}, Inconclusive, "straddles the limit"},
		"agreement passes":       {s, Criterion{MinTopAgreement: 0.95}, Pass, "top-1 agreement is at least"},
		"agreement fails":        {s, Criterion{MinTopAgreement: 0.995}, Fail, "under the limit"},
		"agreement straddles":    {s, Criterion{MinTopAgreement: 0.98}, Inconclusive, "straddles"},
		"p99 passes":             {s, Criterion{MaxP99: 0.06}, Pass, "99th percentile"},
		"p99 fails":              {s, Criterion{MaxP99: 0.02}, Fail, "99th percentile"},
		"one of three fails":     {s, Criterion{MaxMeanKL: 0.05, MinTopAgreement: 0.995, MaxP99: 0.06}, Fail, "top-1"},
		"one of two straddles":   {s, Criterion{MaxMeanKL: 0.05, MinTopAgreement: 0.98}, Inconclusive, "top-1"},
		"all pass":               {s, Criterion{MaxMeanKL: 0.05, MinTopAgreement: 0.9, MaxP99: 0.06}, Pass, "; "},
		"nothing to judge by":    {s, Criterion{}, Inconclusive, "judges nothing"},
		"only a prompt count":    {s, Criterion{MinPrompts: 3}, Inconclusive, "judges nothing"},
		"too few prompts":        {few, Criterion{MaxMeanKL: 0.05}, Inconclusive, "9 prompts, of at least 10"},
		"fewer asked for":        {few, Criterion{MaxMeanKL: 0.05, MinPrompts: 9}, Pass, "within"},
		"more asked for":         {s, Criterion{MaxMeanKL: 0.05, MinPrompts: 41}, Inconclusive, "at least 41"},
		"below the noise floor":  {s, Criterion{MaxMeanKL: 0.05, NoiseFloor: 0.06}, Inconclusive, "noise floor"},
		"below storage":          {s, Criterion{MaxMeanKL: 1e-4, StorageFloor: 4e-4}, Inconclusive, "storage precision"},
		"at the noise floor":     {s, Criterion{MaxMeanKL: 0.05, NoiseFloor: 0.05}, Pass, "within"},
		"excluded":               {excluded, Criterion{MaxMeanKL: 0.05}, Inconclusive, "excluded"},
		"excluded, yet fails":    {excluded, Criterion{MaxMeanKL: 0.01}, Fail, "over"},
		"few excluded":           {tolerable, Criterion{MaxMeanKL: 0.05}, Pass, "within"},
		"floored":                {floored, Criterion{MaxMeanKL: 0.05}, Inconclusive, "floor"},
		"infinite":               {infinite, Criterion{MaxMeanKL: 0.05}, Fail, "+Inf"},
		"lists prove no p99":     {listed, Criterion{MaxP99: 0.06}, Inconclusive, "straddles"},
		"lists may fail p99":     {listed, Criterion{MaxP99: 0.02}, Fail, "over"},
		"a sketch passes":        {sketched, Criterion{MaxP99: 0.06}, Pass, "99th"},
		"empty summary":          {Summary{}, Criterion{MaxMeanKL: 0.05}, Inconclusive, "nothing to judge"},
		"NaN in the summary":     {Summary{Prompts: 50, MeanKL: math.NaN()}, Criterion{MaxMeanKL: 0.05}, Inconclusive, "nothing to judge"},
		"no interval of p99":     {Summary{Prompts: 50, P99: 0.1}, Criterion{MaxP99: 0.2}, Inconclusive, "no interval"},
		"no interval of top-1":   {Summary{Prompts: 50, TopAgreement: 0.9}, Criterion{MinTopAgreement: 0.2}, Inconclusive, "no interval"},
		"NaN limit":              {s, Criterion{MaxMeanKL: math.NaN()}, Inconclusive, "MaxMeanKL of NaN"},
		"negative limit":         {s, Criterion{MaxMeanKL: -1}, Inconclusive, "MaxMeanKL of -1"},
		"infinite limit":         {s, Criterion{MaxMeanKL: inf}, Inconclusive, "MaxMeanKL of +Inf"},
		"agreement over 1":       {s, Criterion{MinTopAgreement: 98}, Inconclusive, "98 is over 1"},
		"NaN noise floor":        {s, Criterion{MaxMeanKL: 0.05, NoiseFloor: math.NaN()}, Inconclusive, "NoiseFloor"},
		"negative prompt number": {s, Criterion{MaxMeanKL: 0.05, MinPrompts: -1}, Inconclusive, "MinPrompts"},
	} {
		t.Run(name, func(t *testing.T) {
			v := c.s.Judge(c.c)
			assert.Equal(t, c.want, v.Outcome, v.Reason)
			assert.Contains(t, v.Reason, c.reason)
		})
	}
}

func TestJudgeFigure(t *testing.T) {
	for name, c := range map[string]struct {
		value, half float64
		c           Criterion
		want        Outcome
		reason      string
	}{
		"pass":        {0.1493, 0.00005, Criterion{MaxMeanKL: 0.15}, Pass, "at most 0.1493"},
		"fail":        {0.3988, 0.00005, Criterion{MaxMeanKL: 0.3}, Fail, "over"},
		"straddles":   {0.15, 0.00005, Criterion{MaxMeanKL: 0.15}, Inconclusive, "straddles"},
		"exact":       {0.15, 0, Criterion{MaxMeanKL: 0.15}, Pass, "within"},
		"zero":        {0, 0.00005, Criterion{MaxMeanKL: 0.0001}, Pass, "within"},
		"no limit":    {0.1, 0, Criterion{}, Inconclusive, "no MaxMeanKL"},
		"other limit": {0.1, 0, Criterion{MaxP99: 0.2}, Inconclusive, "no MaxMeanKL"},
		"NaN":         {math.NaN(), 0, Criterion{MaxMeanKL: 0.1}, Inconclusive, "not a divergence"},
		"negative":    {-0.000015, 0, Criterion{MaxMeanKL: 0.1}, Inconclusive, "not a divergence"},
		"half width":  {0.1, -1, Criterion{MaxMeanKL: 0.1}, Inconclusive, "not a divergence"},
		"noise floor": {0.1, 0, Criterion{MaxMeanKL: 0.2, NoiseFloor: 0.3}, Inconclusive, "noise floor"},
	} {
		t.Run(name, func(t *testing.T) {
			v := JudgeFigure(c.value, c.half, c.c)
			assert.Equal(t, c.want, v.Outcome, v.Reason)
			assert.Contains(t, v.Reason, c.reason)
		})
	}
}

func TestOutcomeIsTextInJSON(t *testing.T) {
	b, err := json.Marshal(map[string]Outcome{"x": Pass, "y": Inconclusive, "z": Fail})
	require.NoError(t, err)
	assert.JSONEq(t, `{"x":"pass","y":"inconclusive","z":"fail"}`, string(b))
	js := jsonOf(t, JudgeFigure(math.NaN(), 0, Criterion{MaxMeanKL: 1}))
	assert.NotContains(t, js, "lo_nats", "unknown figures are left out")
}

func TestResultsAreJSON(t *testing.T) {
	pos, err := Compare([]float64{1, 0}, []float64{0, 1}, &Options{Kind: Probs})
	require.NoError(t, err)
	js := jsonOf(t, pos)
	assert.Contains(t, js, `"kl_nats":"+Inf"`)
	assert.NotContains(t, js, "nll_ref", "unknown")
	list := TopK{IDs: []int32{1}, LogProbs: []float64{-0.5}}
	b, err := CompareTopK(list, list, nil)
	require.NoError(t, err)
	assert.Contains(t, jsonOf(t, b), `"upper_nats":"+Inf"`)
	assert.Equal(t, "KL +Inf nats, top token 0 in ref and 1 in got", pos.String())
	assert.Equal(t, "KL between 0 and +Inf nats, with 0.393 and 0.393 of the probability left out", b.String())
	assert.Contains(t, jsonOf(t, WorstPosition{KL: inf}), `"kl_nats":"+Inf"`)
}
