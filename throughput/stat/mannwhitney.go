package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// UResult is a rank test of two samples.
type UResult struct {
	U        float64 // pairs in which a exceeds b, ties counting half
	P        float64 // two-sided: twice the smaller of the next two, at most 1
	PGreater float64 // of a tending to exceed b
	PLess    float64 // of a tending to fall below b
	Effect   float64 // U / (n m): the chance that a exceeds b (Vargha and Delaney 2000)
	Exact    bool    // counted over all arrangements; else normal
}

// Above these products of the sample sizes P is normal, which is then close.
const (
	exactLimit     = 10_000
	exactTiedLimit = 2_500
)

// MannWhitney tests whether one of two samples tends to exceed the other (Mann
// and Whitney 1947). P is exact, by counting the arrangements of the observed
// midranks, for n m up to 2,500 with ties and up to 10,000 without; beyond it is
// normal with tie variance and continuity correction.
//
// Two conventions exist for a two-sided P under ties; this is twice the smaller
// tail, as in benchstat, not the share of arrangements at least as far from the
// mean.
func MannWhitney(a, b []float64) (UResult, error) {
	if err := checkFinite("a", a, 1); err != nil {
		return UResult{}, err
	}
	if err := checkFinite("b", b, 1); err != nil {
		return UResult{}, err
	}
	r := rankTwo(a, b)
	nm := float64(r.n) * float64(r.m)
	out := UResult{U: r.u, Effect: r.u / nm}
	switch {
	case len(r.ties) == 0 && nm <= exactLimit:
		out.PLess, out.PGreater = untiedTails(r)
		out.Exact = true
	case nm <= exactTiedLimit:
		out.PLess, out.PGreater = tiedTails(r)
		out.Exact = true
	default:
		out.PLess, out.PGreater = r.normal(0.5)
	}
	out.P = min(1, 2*min(out.PLess, out.PGreater))
	return out, nil
}

// ranked is two samples by their joint ranks.
type ranked struct {
	n, m    int     // sizes of a and b
	u       float64 // of a
	doubled []int   // twice the midranks of all observations, ascending
	ties    []int64 // sizes of the groups of equal observations
}

func rankTwo(a, b []float64) ranked {
	type obs struct {
		x     float64
		fromA bool
	}
	all := make([]obs, 0, len(a)+len(b))
	for _, x := range a {
		all = append(all, obs{x, true})
	}
	for _, x := range b {
		all = append(all, obs{x, false})
	}
	slices.SortFunc(all, func(p, q obs) int { return cmp.Compare(p.x, q.x) })
	r := ranked{n: len(a), m: len(b), doubled: make([]int, len(all))}
	var sumA int64
	for i, j := 0, 0; i < len(all); i = j {
		for j = i + 1; j < len(all) && all[j].x == all[i].x; j++ {
		}
		if j-i > 1 {
			r.ties = append(r.ties, int64(j-i))
		}
		for k := i; k < j; k++ {
			r.doubled[k] = i + j + 1 // twice the mean of ranks i+1 to j
			if all[k].fromA {
				sumA += int64(r.doubled[k])
			}
		}
	}
	r.u = float64(sumA-int64(r.n)*int64(r.n+1)) / 2
	return r
}

// normal returns the tails by the normal approximation, U moved toward its mean
// by the continuity correction.
func (r ranked) normal(correction float64) (less, greater float64) {
	n, m := float64(r.n), float64(r.m)
	all := n + m
	var ties float64
	for _, t := range r.ties {
		ties += float64(t) * float64(t*t-1)
	}
	sigma := math.Sqrt(n * m / 12 * (all + 1 - ties/(all*(all-1))))
	if !(sigma > 0) { // all observations are equal
		return 1, 1
	}
	off := r.u - n*m/2
	return normalBelow((off + correction) / sigma), normalBelow(-(off - correction) / sigma)
}

// normalBelow returns P(Z <= z).
func normalBelow(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// String gives the one-line form.
func (r UResult) String() string {
	how := "normal"
	if r.Exact {
		how = "exact"
	}
	return fmt.Sprintf("U = %g, p = %.2g (%s), chance to exceed %.2f", r.U, r.P, how, r.Effect)
}

// MarshalJSON gives the figures.
func (r UResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "u", Value: r.U}, {Name: "p", Value: r.P}, {Name: "p_greater", Value: r.PGreater},
		{Name: "p_less", Value: r.PLess}, {Name: "effect", Value: r.Effect}, {Name: "exact", Value: r.Exact},
	}.MarshalJSON()
}
