package bt

import "math"

// TieModel says what a tie tells about the strengths.
type TieModel int

const (
	HalfWin   TieModel = iota // half a win for each side
	Davidson                  // P(tie) grows with nu * sqrt(strength * strength) (Davidson 1970)
	RaoKupper                 // a tie is a difference below a threshold log(kappa) (Rao and Kupper 1967)
	DropTies                  // nothing
)

// String returns the name of the model.
func (m TieModel) String() string {
	switch m {
	case HalfWin:
		return "half wins"
	case Davidson:
		return "Davidson"
	case RaoKupper:
		return "Rao-Kupper"
	case DropTies:
		return "dropped"
	}
	return "unknown"
}

// estimated says whether the model has a parameter of its own.
func (m TieModel) estimated() bool { return m == Davidson || m == RaoKupper }

// boundary is the parameter at which no tie ever happens.
func (m TieModel) boundary() float64 {
	switch m {
	case Davidson:
		return 0
	case RaoKupper:
		return 1
	}
	return math.NaN()
}

// start is the logarithm of the parameter that gives equal items their share
// of ties.
func (m TieModel) start(share float64) float64 {
	if m == Davidson {
		return math.Log(2 * share / (1 - share))
	}
	return math.Log1p(share) - math.Log1p(-share)
}

// terms are the derivatives of an edge's log-likelihood by its difference d of
// log-strengths and the logarithm u of the tie parameter; the second ones with
// their sign turned.
type terms struct{ d, u, dd, du, uu float64 }

// Davidson's model is a multinomial logit with log-odds d/2, -d/2 and u. No term
// subtracts a chance from 1, which would lose rare outcomes.
func davidsonTerms(t *tally, d, u float64) terms {
	win, loss, tie := davidsonChances(d, u)
	n, lead, decided := t.total(), win-loss, win+loss
	return terms{
		d:  (t.win*(2*loss+tie) - t.loss*(2*win+tie) - t.tie*lead) / 2,
		u:  t.tie*decided - (t.win+t.loss)*tie,
		dd: n * (decided*tie + 4*win*loss) / 4,
		du: -n * lead * tie / 2,
		uu: n * tie * decided,
	}
}

func davidsonChances(d, u float64) (win, loss, tie float64) {
	top := max(math.Abs(d)/2, u)
	win, loss, tie = math.Exp(d/2-top), math.Exp(-d/2-top), math.Exp(u-top)
	sum := win + loss + tie
	return win / sum, loss / sum, tie / sum
}

func davidsonLogLikelihood(t *tally, d, u float64) float64 {
	top := max(math.Abs(d)/2, u)
	sum := math.Exp(d/2-top) + math.Exp(-d/2-top) + math.Exp(u-top)
	return t.win*d/2 - t.loss*d/2 + t.tie*u - t.total()*(top+math.Log(sum))
}

// Rao and Kupper's model: P(win) = sigmoid(d-u), P(loss) = sigmoid(-d-u), and
// P(tie) is their complements' product times 1 - 1/kappa^2.
func raoKupperTerms(t *tally, d, u float64) terms {
	win, notWin := chances(d - u)
	loss, notLoss := chances(-d - u)
	byWin := t.win*notWin - t.tie*win
	byLoss := t.loss*notLoss - t.tie*loss
	curveWin := (t.win + t.tie) * win * notWin
	curveLoss := (t.loss + t.tie) * loss * notLoss
	gap := math.Expm1(2 * u)
	return terms{
		d:  byWin - byLoss,
		u:  2*t.tie/gap - byWin - byLoss,
		dd: curveWin + curveLoss,
		du: curveLoss - curveWin,
		uu: curveWin + curveLoss + 4*t.tie*(1/gap+1/(gap*gap)),
	}
}

func raoKupperChances(d, u float64) (win, loss, tie float64) {
	win, notWin := chances(d - u)
	loss, notLoss := chances(-d - u)
	return win, loss, notWin * notLoss * -math.Expm1(-2*u)
}

func raoKupperLogLikelihood(t *tally, d, u float64) float64 {
	if u <= 0 {
		return math.Inf(-1)
	}
	return t.win*logSigmoid(d-u) + t.loss*logSigmoid(-d-u) +
		t.tie*(logSigmoid(u-d)+logSigmoid(u+d)+math.Log(-math.Expm1(-2*u)))
}

func logSigmoid(d float64) float64 {
	return min(d, 0) - math.Log1p(math.Exp(-math.Abs(d)))
}
