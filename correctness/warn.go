package correctness

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// maxUnsettled is the share of positions that may be excluded, or floored, before
// a verdict is withheld.
const maxUnsettled = 0.001

// excludedShare is the part of all positions that ZeroExclude left out.
func (s *Summary) excludedShare() float64 { return float64(s.Excluded) / float64(s.N+s.Excluded) }

// warn says what a reader of the figures should know.
func (s *Summary) warn(t *tally) {
	add := func(when bool, format string, args ...any) {
		if when {
			s.Warnings = append(s.Warnings, fmt.Errorf(format, args...))
		}
	}
	add(s.Prompts < defaultMinPrompts, "%d prompts: an interval over fewer than %d is not to be trusted", s.Prompts, defaultMinPrompts)
	add(s.Infinite > 0, "%d positions have a token that the reference allows and the engine rules out: the mean is infinite", s.Infinite)
	add(s.Excluded > 0, "%d positions (%.3g%%) are excluded for a token that the engine rules out", s.Excluded, 100*s.excludedShare())
	add(s.LowerBounds > 0, "%d positions have a floor in the place of 0: their divergence is a lower bound", s.LowerBounds)
	add(s.Bounded > 0, "%d positions were compared by lists: MeanKL, Lo and percentiles are of lower bounds, MeanUpperKL and Hi of upper bounds", s.Bounded)
	add(t.counts[countRounded] > 0, "%d positions have a list that reaches a mass of 1 by rounding", t.counts[countRounded])
	add(t.counts[countUnlikely] > 0, "%d positions have logits that sum to 1 as they stand: are they probabilities?", t.counts[countUnlikely])
	add(s.TopShare > 0.5, "the worst hundredth of positions carries %.0f%% of the mean: no interval is reliable on such a tail", 100*s.TopShare)
	add(s.QuantileError > 0, "more positions than are kept one by one: percentiles are within %g%%", 100*s.QuantileError)
	add(t.counts[countDataInf] > 0, "perplexity is withheld: a side rules out %d tokens of the text", t.counts[countDataInf])
}

// MarshalJSON implements [json.Marshaler]: unknown figures are left out, infinite
// ones are "+Inf".
func (s Summary) MarshalJSON() ([]byte, error) {
	worst := make([]jsonout.Object, len(s.Worst))
	for i, w := range s.Worst {
		worst[i] = jsonout.Object{{Name: "prompt", Value: w.Prompt}, {Name: "position", Value: w.Index},
			{Name: "kl_nats", Value: w.KL}, {Name: "top_ref", Value: w.TopRef}, {Name: "top_got", Value: w.TopGot}}
	}
	var o jsonout.Object
	for _, f := range []struct {
		name  string
		value any
	}{
		{"positions", s.N}, {"prompts", s.Prompts},
		{"mean_kl_nats", s.MeanKL}, {"mean_upper_kl_nats", s.MeanUpperKL},
		{"lo_nats", s.Lo}, {"hi_nats", s.Hi}, {"level", s.Level},
		{"mean_of_prompts_nats", s.MeanOfPrompts}, {"sd_nats", s.SD},
		{"std_err_nats", s.StdErr}, {"std_err_clustered_nats", s.StdErrClustered}, {"design_effect", s.DesignEffect},
		{"min_nats", s.Min}, {"median_nats", s.Median}, {"p90_nats", s.P90}, {"p95_nats", s.P95},
		{"p99_nats", s.P99}, {"p999_nats", s.P999}, {"max_nats", s.Max}, {"quantile_relative_error", s.QuantileError},
		{"p99_lo_nats", s.P99Lo}, {"p99_hi_nats", s.P99Hi}, {"top_share", s.TopShare},
		{"top_agreement", s.TopAgreement}, {"top_agreement_lo", s.TopAgreementLo}, {"top_agreement_hi", s.TopAgreementHi},
		{"certified", s.Certified},
		{"mean_reverse_kl_nats", s.MeanReverseKL}, {"mean_js_nats", s.MeanJS}, {"mean_tv", s.MeanTV},
		{"mean_hellinger", s.MeanHellinger}, {"mean_entropy_nats", s.MeanEntropy},
		{"data_tokens", s.DataTokens}, {"log_ppl_ratio_nats", s.LogPPLRatio},
		{"log_ppl_ratio_std_err_nats", s.LogPPLRatioStdErr},
		{"log_ppl_ratio_std_err_clustered_nats", s.LogPPLRatioStdErrClustered},
		{"ppl_ref", s.PPLRef}, {"ppl_got", s.PPLGot},
		{"log_ppl_ref_std_err_nats", s.LogPPLRefStdErr}, {"log_ppl_got_std_err_nats", s.LogPPLGotStdErr},
		{"log_ppl_correlation", s.LogPPLCorrelation},
		{"mean_delta_p", s.MeanDeltaP}, {"rms_delta_p", s.RMSDeltaP},
		{"infinite_positions", s.Infinite}, {"excluded_positions", s.Excluded},
		{"lower_bound_positions", s.LowerBounds}, {"bounded_positions", s.Bounded},
		{"max_sum_error", s.MaxSumError}, {"max_dropped_mass", s.MaxDroppedMass},
		{"max_residual_ref", s.MaxResidualRef}, {"max_residual_got", s.MaxResidualGot},
		{"worst", worst}, {"warnings", s.Warnings},
	} {
		o = append(o, jsonout.Field{Name: f.name, Value: f.value})
	}
	return o.MarshalJSON()
}
