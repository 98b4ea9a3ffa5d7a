package correctness

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// precise computes with so many bits, from definitions: what the stated errors are
// measured against.
type precise uint

func (p precise) kl(ref, got []float64) float64 {
	lnRef, lnGot := p.lnSum(ref), p.lnSum(got)
	sum := p.float(0)
	for i := range ref {
		lp := p.float(ref[i])
		lp.Sub(lp, lnRef)
		d := p.float(got[i])
		d.Sub(lp, d.Sub(d, lnGot))
		sum.Add(sum, d.Mul(d, p.exp(lp)))
	}
	kl, _ := sum.Float64()
	return kl
}

func (p precise) float(x float64) *big.Float { return new(big.Float).SetPrec(uint(p)).SetFloat64(x) }

// exp halves x until its series gains 8 bits a term and more, and squares it back.
func (p precise) exp(x *big.Float) *big.Float {
	const halvings = 20
	r := p.float(0).SetMantExp(x, -halvings)
	sum, term := p.float(1), p.float(1)
	for k := 1; k < 5+int(p)/8; k++ {
		term.Mul(term, r).Quo(term, p.float(float64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// lnSum is ln of the sum of e^x, by Halley's method from a float64 start, which
// triples the digits each time.
func (p precise) lnSum(row []float64) *big.Float {
	sum := p.float(0)
	top := math.Inf(-1)
	for _, x := range row {
		sum.Add(sum, p.exp(p.float(x)))
		top = max(top, x)
	}
	approx := 0.0
	for _, x := range row {
		approx += math.Exp(x - top)
	}
	y := p.float(top + math.Log(approx))
	for digits := uint(16); digits < uint(p); digits *= 3 {
		e := p.exp(y)
		num, den := p.float(0).Sub(sum, e), p.float(0).Add(sum, e)
		y.Add(y, num.Quo(num, den).Mul(num, p.float(2)))
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
		want := precise(200).kl(a, b)
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

// Tokens that the table does not reach count when they alone differ: their
// probabilities are 1e-170 and less, and so is the divergence.
func TestKLOfFarTokens(t *testing.T) {
	const bits = precise(2500)
	for _, c := range []struct{ a, b []float64 }{
		{[]float64{0, -400, -1}, []float64{0, -400.5, -1}},
		{[]float64{0, -350, -690}, []float64{0, -690, -350}},
		{[]float64{0, -10, -360}, []float64{0, -10, -346}},
		{[]float64{5, -395}, []float64{7, -393.25}},
	} {
		got, err := Compare(c.a, c.b, nil)
		require.NoError(t, err)
		want := bits.kl(c.a, c.b)
		assert.Greater(t, want, 0.0)
		assert.InEpsilon(t, want, got.KL, 1e-9, "%v %v", c.a, c.b)
		assert.InEpsilon(t, bits.kl(c.b, c.a), got.ReverseKL, 1e-9, "%v %v", c.a, c.b)
	}
}
