package correctness

import "example.com/servemath/internal/jsonout"

// MarshalJSON implements [json.Marshaler]: unknown figures are left out, infinite
// ones are "+Inf".
func (s Summary) MarshalJSON() ([]byte, error) {
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
		{"worst", s.Worst}, {"warnings", s.Warnings},
	} {
		o = append(o, jsonout.Field{Name: f.name, Value: f.value})
	}
	return o.MarshalJSON()
}

// MarshalJSON implements [json.Marshaler].
func (w WorstPosition) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "prompt", Value: w.Prompt}, {Name: "position", Value: w.Index}, {Name: "kl_nats", Value: w.KL},
		{Name: "top_ref", Value: w.TopRef}, {Name: "top_got", Value: w.TopGot}}.MarshalJSON()
}
