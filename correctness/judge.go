package correctness

import (
	"fmt"
	"math"
	"strings"
)

// Judge passes an engine when the whole interval of every judged figure is within
// its limit, fails it when the whole interval of one is beyond, and is
// inconclusive otherwise: at a Level of 0.90 a mean KL at its limit passes, and
// fails, once in twenty. Too few prompts, a limit below a floor, more than 0.1% of
// positions excluded or floored and an invalid criterion cannot pass.
func (s Summary) Judge(c Criterion) Verdict {
	v := Verdict{Lo: s.Lo, Hi: s.Hi}
	need := c.MinPrompts
	if need == 0 {
		need = defaultMinPrompts
	}
	switch reason := c.invalid(); {
	case reason != "":
		v.Reason = reason
	case s.Prompts <= 0 || math.IsNaN(s.MeanKL):
		v.Reason = "there is nothing to judge: no position was compared"
	case s.Prompts < need:
		v.Reason = fmt.Sprintf("too few to judge by: %s, of at least %d that are needed", count(s.Prompts, "prompt"), need)
	default:
		v.Outcome, v.Reason = decide(s.checks(&c))
	}
	if reason := s.unsettled(); v.Outcome == Pass && reason != "" {
		v.Outcome, v.Reason = Inconclusive, reason
	}
	return v
}

// unsettled returns why a summary cannot pass whatever its figures, "" if it can.
func (s *Summary) unsettled() string {
	for _, c := range []struct {
		n    int
		what string
	}{{s.Excluded, "are excluded"}, {s.LowerBounds, "have a floor in the place of 0"}} {
		if share := float64(c.n) / float64(s.N+s.Excluded); share > maxUnsettled {
			return fmt.Sprintf("%.3g%% of positions %s, more than %g%%: what is left passes", 100*share, c.what, 100*maxUnsettled)
		}
	}
	return ""
}

// check is one figure against its limit.
type check struct {
	outcome Outcome
	text    string
}

func (s *Summary) checks(c *Criterion) (out []check) {
	if c.MaxMeanKL > 0 {
		out = append(out, atMost("mean KL", s.Lo, s.Hi, c.MaxMeanKL))
	}
	if c.MinTopAgreement > 0 {
		out = append(out, s.agreementCheck(c.MinTopAgreement))
	}
	if c.MaxP99 > 0 {
		out = append(out, s.p99Check(c.MaxP99))
	}
	return out
}

func (s *Summary) agreementCheck(limit float64) check {
	const name = "top-1 agreement"
	if !(s.TopAgreementLo <= s.TopAgreement && s.TopAgreement <= s.TopAgreementHi) {
		return check{Inconclusive, name + " has no interval"}
	}
	return atLeast(name, s.TopAgreementLo, s.TopAgreementHi, limit)
}

func (s *Summary) p99Check(limit float64) check {
	const name = "99th percentile of KL"
	lo, hi := s.P99Lo, s.P99Hi
	if !(lo <= s.P99 && s.P99 <= hi) {
		return check{Inconclusive, name + " has no interval"}
	}
	if s.Bounded > 0 { // percentiles are of lower bounds
		hi = math.Inf(1)
	}
	// A sketch may have moved both ends.
	return atMost(name, lo*(1-s.QuantileError), hi*(1+s.QuantileError), limit)
}

func atMost(name string, lo, hi, limit float64) check {
	switch {
	case hi <= limit:
		return check{Pass, fmt.Sprintf("%s is at most %.4g, within the limit of %.4g", name, hi, limit)}
	case lo > limit:
		return check{Fail, fmt.Sprintf("%s is at least %.4g, over the limit of %.4g", name, lo, limit)}
	}
	return check{Inconclusive, fmt.Sprintf("%s lies between %.4g and %.4g, which straddles the limit of %.4g", name, lo, hi, limit)}
}

func atLeast(name string, lo, hi, limit float64) check {
	switch {
	case lo >= limit:
		return check{Pass, fmt.Sprintf("%s is at least %.4g, within the limit of %.4g", name, lo, limit)}
	case hi < limit:
		return check{Fail, fmt.Sprintf("%s is at most %.4g, under the limit of %.4g", name, hi, limit)}
	}
	return check{Inconclusive, fmt.Sprintf("%s lies between %.4g and %.4g, which straddles the limit of %.4g", name, lo, hi, limit)}
}

// decide fails on any failure, passes when all pass, and names what decided.
func decide(checks []check) (Outcome, string) {
	for _, want := range []Outcome{Fail, Inconclusive, Pass} {
		var texts []string
		for _, c := range checks {
			if c.outcome == want {
				texts = append(texts, c.text)
			}
		}
		if len(texts) > 0 {
			return want, strings.Join(texts, "; ")
		}
	}
	return Inconclusive, "the criterion judges nothing"
}

// JudgeFigure judges one published mean KL that is known to within halfWidth, half
// a unit of its last printed digit: 0.1493 printed to four decimals lies between
// 0.14925 and 0.14935. Of the criterion MaxMeanKL and the floors apply; how the
// figure came about, and with what error, is not known.
func JudgeFigure(value, halfWidth float64, c Criterion) Verdict {
	v := Verdict{Lo: max(0, value-halfWidth), Hi: value + halfWidth}
	switch reason := c.invalid(); {
	case reason != "":
		v.Reason = reason
	case !(value >= 0 && halfWidth >= 0):
		v.Lo, v.Hi = math.NaN(), math.NaN()
		v.Reason = fmt.Sprintf("%g, to within %g, is not a divergence", value, halfWidth)
	case c.MaxMeanKL == 0:
		v.Reason = "the criterion has no MaxMeanKL"
	default:
		v.Outcome, v.Reason = decide([]check{atMost("mean KL", v.Lo, v.Hi, c.MaxMeanKL)})
	}
	return v
}
