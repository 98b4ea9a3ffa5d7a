package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// KendallResult is how far two orders of the same things agree.
type KendallResult struct {
	N                      int
	Concordant, Discordant int64 // pairs in the same and in opposite order
	TiedX, TiedY, TiedBoth int64 // pairs tied in x only, in y only, in both
	TauA, TauB, Gamma      float64
	P                      float64 // two-sided, of no association
	Exact                  bool    // P counts permutations; else it is normal
}

// kendallExactLimit is the largest sample whose permutations are counted.
const kendallExactLimit = 60

// Kendall returns Kendall's rank correlation of two or more pairs in
// O(n log n) (Knight 1966). P is exact for up to 60 pairs without ties and
// normal, with the variance of ties, otherwise. TauB and Gamma of a constant x
// or y are NaN.
func Kendall(x, y []float64) (KendallResult, error) {
	if len(x) != len(y) {
		return KendallResult{}, fmt.Errorf("%w: x has %d observations, y has %d", ErrUnpaired, len(x), len(y))
	}
	if err := checkFinite("x", x, 2); err != nil {
		return KendallResult{}, err
	}
	if err := checkFinite("y", y, 2); err != nil {
		return KendallResult{}, err
	}
	r, tx, ty := countPairs(x, y)
	r.P, r.Exact = math.NaN(), false
	switch s := r.Concordant - r.Discordant; {
	case len(tx)+len(ty) == 0 && r.N <= kendallExactLimit:
		r.P, r.Exact = kendallExact(r.N, min(r.Concordant, r.Discordant)), true
	default:
		r.P = kendallNormal(r.N, s, tx, ty)
	}
	return r, nil
}

// countPairs counts the pairs of each kind and the sizes of the groups of ties.
func countPairs(x, y []float64) (r KendallResult, tx, ty []int64) {
	n := len(x)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int { return cmp.Or(cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])) })
	ys := make([]float64, n)
	for i, k := range at {
		ys[i] = y[k]
	}
	tx = tieGroups(n, func(i, j int) bool { return x[at[i]] == x[at[j]] })
	both := tieGroups(n, func(i, j int) bool { return x[at[i]] == x[at[j]] && ys[i] == ys[j] })
	swaps := inversions(ys, make([]float64, n)) // sorts ys
	ty = tieGroups(n, func(i, j int) bool { return ys[i] == ys[j] })

	total := choose2(int64(n))
	tiedX, tiedY := tiedPairs(tx), tiedPairs(ty)
	r = KendallResult{N: n, Discordant: swaps, TiedBoth: tiedPairs(both)}
	r.TiedX, r.TiedY = tiedX-r.TiedBoth, tiedY-r.TiedBoth
	r.Concordant = total - swaps - r.TiedX - r.TiedY - r.TiedBoth
	s := float64(r.Concordant - r.Discordant)
	r.TauA = s / float64(total)
	r.TauB = s / math.Sqrt(float64(total-tiedX)) / math.Sqrt(float64(total-tiedY))
	r.Gamma = s / float64(r.Concordant+r.Discordant)
	return r, tx, ty
}

// tieGroups returns the sizes above 1 of runs of equal neighbours.
func tieGroups(n int, same func(i, j int) bool) []int64 {
	var out []int64
	for i, j := 0, 0; i < n; i = j {
		for j = i + 1; j < n && same(i, j); j++ {
		}
		if j-i > 1 {
			out = append(out, int64(j-i))
		}
	}
	return out
}

func choose2(n int64) int64 { return n * (n - 1) / 2 }

func tiedPairs(groups []int64) int64 {
	var n int64
	for _, t := range groups {
		n += choose2(t)
	}
	return n
}

// inversions sorts xs and returns how many pairs were in descending order.
func inversions(xs, buf []float64) int64 {
	n := len(xs)
	if n < 2 {
		return 0
	}
	a, b := xs[:n/2], xs[n/2:]
	count := inversions(a, buf) + inversions(b, buf)
	out := buf[:0]
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			count += int64(len(a))
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	copy(xs, append(append(out, a...), b...))
	return count
}

// kendallExact returns the chance that a random permutation of n has at most, or
// at least as extreme on the other side, the given number of inversions.
func kendallExact(n int, fewer int64) float64 {
	p := []float64{1} // p[k] = P(k inversions) of i items
	for i := 2; i <= n; i++ {
		next := make([]float64, int(fewer)+1)
		var window float64
		for k := range next {
			if k < len(p) {
				window += p[k]
			}
			if k >= i && k-i < len(p) {
				window -= p[k-i]
			}
			next[k] = window / float64(i)
		}
		p = next
	}
	var tail float64
	for _, v := range p {
		tail += v
	}
	return min(1, 2*tail)
}

// kendallNormal is the normal approximation, without continuity correction.
func kendallNormal(n int, s int64, tx, ty []int64) float64 {
	v := kendallVariance(n, tx, ty)
	if v == 0 {
		return 1
	}
	return normalTwoSided(float64(s) / math.Sqrt(v))
}

// kendallVariance is the variance of concordant minus discordant pairs under no
// association, with groups of ties (Kendall 1970).
func kendallVariance(n int, tx, ty []int64) float64 {
	m := float64(n)
	v0 := m * (m - 1) * (2*m + 5)
	sums := func(groups []int64) (a, b, c float64) {
		for _, g := range groups {
			t := float64(g)
			a += t * (t - 1) * (2*t + 5)
			b += t * (t - 1)
			c += t * (t - 1) * (t - 2)
		}
		return a, b, c
	}
	ax, bx, cx := sums(tx)
	ay, by, cy := sums(ty)
	v := (v0-ax-ay)/18 + bx*by/(2*m*(m-1))
	if n > 2 {
		v += cx * cy / (9 * m * (m - 1) * (m - 2))
	}
	if v < 1e-6 { // a constant: what rounding leaves of zero
		return 0
	}
	return v
}

// normalTwoSided returns P(|Z| >= |z|).
func normalTwoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// String gives the one-line form.
func (r KendallResult) String() string {
	return fmt.Sprintf("tau = %.3f, p = %.2g, n = %d", r.TauB, r.P, r.N)
}

// MarshalJSON leaves out what is unknown.
func (r KendallResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "n", Value: r.N}, {Name: "concordant", Value: r.Concordant}, {Name: "discordant", Value: r.Discordant},
		{Name: "tied_x", Value: r.TiedX}, {Name: "tied_y", Value: r.TiedY}, {Name: "tied_both", Value: r.TiedBoth},
		{Name: "tau_a", Value: r.TauA}, {Name: "tau_b", Value: r.TauB}, {Name: "gamma", Value: r.Gamma},
		{Name: "p", Value: r.P}, {Name: "exact", Value: r.Exact},
	}.MarshalJSON()
}
