package correctness

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The divergence in 200 bits, from its definition: what the stated errors are
// measured against.
func preciseKL(ref, got []float64) float64 {
	lnRef, lnGot := bigLnSum(ref), bigLnSum(got)
	sum := newBig(0)
	for i := range ref {
		lp := newBig(ref[i])
		lp.Sub(lp, lnRef)
		d := newBig(got[i])
		d.Sub(lp, d.Sub(d, lnGot))
		sum.Add(sum, d.Mul(d, bigExp(lp)))
	}
	kl, _ := sum.Float64()
	return kl
}

func newBig(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// bigExp halves x until its series converges fast, and squares it back.
func bigExp(x *big.Float) *big.Float {
	const halvings = 20
	r := newBig(0).SetMantExp(x, -halvings)
	sum, term := newBig(1), newBig(1)
	for k := 1; k < 30; k++ {
		term.Mul(term, r).Quo(term, newBig(float64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLnSum is ln of the sum of e^x, by Halley's method from a float64 start.
func bigLnSum(row []float64) *big.Float {
	sum := newBig(0)
	top := math.Inf(-1)
	for _, x := range row {
		sum.Add(sum, bigExp(newBig(x)))
		top = max(top, x)
	}
	approx := 0.0
	for _, x := range row {
		approx += math.Exp(x - top)
	}
	y := newBig(top + math.Log(approx))
	for range 3 {
		e := bigExp(y)
		num, den := newBig(0).Sub(sum, e), newBig(0).Add(sum, e)
		y.Add(y, num.Quo(num, den).Mul(num, newBig(2)))
	}
	return y
}

func TestKLKeepsItsStatedError(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	worst := 0.0
	for range 300 {
		v := 2 + r.IntN(30)
		a, b := make([]float64, v), make([]float64, v)
		noise := math.Exp(-12 + 14*r.Float64())
		shift := 0.0
		if r.IntN(2) == 0 {
			shift = 40 * r.NormFloat64()
		}
		for i := range a {
			a[i] = 4 * r.NormFloat64()
			b[i] = a[i] + noise*r.NormFloat64() + shift
		}
		got, err := KL(a, b)
		require.NoError(t, err)
		want := preciseKL(a, b)
		switch diff := math.Abs(got - want); {
		case want > 1:
			assert.LessOrEqual(t, diff, 1e-10)
		case want >= 1e-11:
			worst = max(worst, diff/want)
			assert.LessOrEqual(t, diff, 1e-10*want, "KL %g, noise %g, shift %g", want, noise, shift)
		default:
			assert.LessOrEqual(t, diff, 1e-21)
		}
	}
	t.Logf("worst relative error from 1e-11 to 1: %.2g", worst)
}
