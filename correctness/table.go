package correctness

import (
	"fmt"
	"math"
)

// Table returns the figures for a reader, as pairs of a name and a value with its
// unit. Figures that are not known are left out.
func (s Summary) Table() [][2]string {
	var t [][2]string
	add := func(name, format string, xs ...float64) {
		args := make([]any, len(xs))
		for i, x := range xs {
			if math.IsNaN(x) {
				return
			}
			args[i] = x
		}
		t = append(t, [2]string{name, fmt.Sprintf(format, args...)})
	}
	t = append(t, [2]string{"positions", fmt.Sprintf("%d in %s", s.N, count(s.Prompts, "prompt"))})
	if s.Bounded > 0 {
		add("mean KL, lower bounds", "%.6g nats", s.MeanKL)
		add("mean KL, upper bounds", "%.6g nats", s.MeanUpperKL)
	} else {
		add("mean KL", "%.6g nats", s.MeanKL)
	}
	add("interval of the mean", fmt.Sprintf("%%.6g to %%.6g nats (%g%%%%, by prompt)", 100*s.Level), s.Lo, s.Hi)
	add("mean of prompts", "%.6g nats", s.MeanOfPrompts)
	add("median, p90, p95", "%.6g, %.6g, %.6g nats", s.Median, s.P90, s.P95)
	add("p99, p99.9, max", "%.6g, %.6g, %.6g nats", s.P99, s.P999, s.Max)
	add("interval of p99", "%.6g to %.6g nats", s.P99Lo, s.P99Hi)
	add("share of the worst 1%", "%.3g%%", 100*s.TopShare)
	add("top-1 agreement", "%.4g%% (%.4g%% to %.4g%%)", 100*s.TopAgreement, 100*s.TopAgreementLo, 100*s.TopAgreementHi)
	add("agreement certified", "%.4g%%", 100*s.Certified)
	add("mean reverse KL", "%.6g nats", s.MeanReverseKL)
	add("mean JS", "%.6g nats", s.MeanJS)
	add("mean TV, Hellinger", "%.6g, %.6g", s.MeanTV, s.MeanHellinger)
	add("mean entropy", "%.6g nats", s.MeanEntropy)
	add("RMS change of p", "%.4g%%", 100*s.RMSDeltaP)
	add("ln PPL ratio", "%.6g ± %.2g (positions independent)", s.LogPPLRatio, s.LogPPLRatioStdErr)
	add("", "%.6g ± %.2g (by prompt)", s.LogPPLRatio, s.LogPPLRatioStdErrClustered)
	add("PPL ref, got", "%.6g, %.6g", s.PPLRef, s.PPLGot)
	return t
}
