package bt

import "math"

// gain is what the penalised log-likelihood gains from the parameters x to x+y.
// It adds up changes instead of subtracting values, in whose rounding a gain of
// 1 is lost beside 1e12 comparisons.
func (p *problem) gain(x, y []float64) float64 {
	sum := 0.0
	for k := range p.tallies {
		sum += p.edgeGain(k, x, y)
	}
	for i := range p.held {
		sum -= p.precision * y[i] * (x[i] + y[i]/2)
		sum += p.virtual * (logSigmoidGain(x[i], y[i]) + logSigmoidGain(-x[i], -y[i]))
	}
	return sum
}

func (p *problem) edgeGain(k int, x, y []float64) float64 {
	t, d, step := &p.tallies[k], p.difference(x, k), p.difference(y, k)
	switch {
	case p.tieAt == 0:
		return t.win*logSigmoidGain(d, step) + t.loss*logSigmoidGain(-d, -step)
	case p.ties == Davidson:
		return davidsonGain(t, d, step, x[p.tieAt], y[p.tieAt])
	}
	return raoKupperGain(t, d, step, x[p.tieAt], y[p.tieAt])
}

// long is a step beyond which values differ enough to be subtracted, and
// exponentials might overflow.
const long = 1

// logSigmoidGain is log sigmoid(d+step) - log sigmoid(d).
func logSigmoidGain(d, step float64) float64 {
	if math.Abs(step) > long {
		return logSigmoid(d+step) - logSigmoid(d)
	}
	return -math.Log1p(sigmoid(-d) * math.Expm1(-step))
}

func davidsonGain(t *tally, d, step, u, more float64) float64 {
	if max(math.Abs(step), math.Abs(more)) > long {
		return davidsonLogLikelihood(t, d+step, u+more) - davidsonLogLikelihood(t, d, u)
	}
	win, loss, tie := davidsonChances(d, u)
	sum := math.Log1p(win*math.Expm1(step/2) + loss*math.Expm1(-step/2) + tie*math.Expm1(more))
	return t.win*(step/2-sum) + t.loss*(-step/2-sum) + t.tie*(more-sum)
}

func raoKupperGain(t *tally, d, step, u, more float64) float64 {
	if max(math.Abs(step), math.Abs(more)) > long {
		return raoKupperLogLikelihood(t, d+step, u+more) - raoKupperLogLikelihood(t, d, u)
	}
	return t.win*logSigmoidGain(d-u, step-more) + t.loss*logSigmoidGain(-d-u, -step-more) +
		t.tie*(logSigmoidGain(u-d, more-step)+logSigmoidGain(u+d, more+step)+
			math.Log1p(-math.Expm1(-2*more)/math.Expm1(2*u)))
}
