package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/floats"
)

// SignedRankResult is a rank test of differences against zero.
type SignedRankResult struct {
	N     int     // differences that are not zero
	W     float64 // the smaller of the rank sums of positive and negative ones
	P     float64 // two-sided
	Exact bool    // counted over all signs; else normal
}

// signedRankLimit is the largest sample whose signs are counted.
const signedRankLimit = 200

// SignedRank tests whether differences are centred on zero (Wilcoxon 1945). Zeros
// are left out; ties share midranks, over which P is exact up to 200 differences.
func SignedRank(diffs []float64) (SignedRankResult, error) {
	if err := checkFinite("diffs", diffs, 1); err != nil {
		return SignedRankResult{}, err
	}
	nonzero := slices.DeleteFunc(slices.Clone(diffs), func(d float64) bool { return d == 0 })
	n := len(nonzero)
	if n == 0 {
		return SignedRankResult{}, fmt.Errorf("%w: every difference is zero", ErrConstant)
	}
	doubled, plus := signedRanks(nonzero)
	total := int64(n) * int64(n+1) // twice the sum of all ranks
	less := min(plus, total-plus)
	r := SignedRankResult{N: n, W: float64(less) / 2, Exact: n <= signedRankLimit}
	if r.P = signNormal(doubled, less); r.Exact {
		r.P = min(1, 2*signTail(doubled, int(less)))
	}
	return r, nil
}

// signNormal is the normal approximation with continuity correction.
func signNormal(doubled []int, less int64) float64 {
	var mean, squares float64
	for _, d := range doubled {
		mean += float64(d) / 4
		squares += float64(d) * float64(d) / 16
	}
	off := max(0, mean-float64(less)/2-0.5)
	return min(1, 2*normalBelow(-off/math.Sqrt(squares)))
}

// signedRanks returns twice the midranks of the absolute differences, and twice
// the sum over positive ones.
func signedRanks(diffs []float64) (doubled []int, plus int64) {
	slices.SortFunc(diffs, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	doubled = make([]int, len(diffs))
	for i, j := 0, 0; i < len(diffs); i = j {
		for j = i + 1; j < len(diffs) && math.Abs(diffs[j]) == math.Abs(diffs[i]); j++ {
		}
		for k := i; k < j; k++ {
			doubled[k] = i + j + 1
			if diffs[k] > 0 {
				plus += int64(doubled[k])
			}
		}
	}
	return doubled, plus
}

// signTail returns the chance that a random choice of the ranks sums to at most
// the given sum.
func signTail(ranks []int, most int) float64 {
	c := make([]float64, most+1)
	c[0] = 1
	old := make([]float64, most+1)
	for _, r := range ranks {
		copy(old, c)
		if r <= most {
			floats.Add(c[r:], old[:len(c)-r])
		}
		floats.Scale(0.5, c)
	}
	return floats.Sum(c)
}

// SignTest returns the two-sided P of as uneven a count of wins and losses, ties
// aside, under an even chance.
func SignTest(wins, losses int) (float64, error) {
	if wins < 0 || losses < 0 {
		return 0, fmt.Errorf("%w: %d wins, %d losses", ErrParameter, wins, losses)
	}
	if wins+losses == 0 {
		return 0, fmt.Errorf("%w: neither win nor loss", ErrEmpty)
	}
	return min(1, 2*binomialCDF(wins+losses, 0.5, min(wins, losses))), nil
}

// String gives the one-line form.
func (r SignedRankResult) String() string {
	return fmt.Sprintf("W = %g of %d differences, p = %.2g", r.W, r.N, r.P)
}

// MarshalJSON gives the figures.
func (r SignedRankResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "n", Value: r.N}, {Name: "w", Value: r.W}, {Name: "p", Value: r.P}, {Name: "exact", Value: r.Exact},
	}.MarshalJSON()
}
