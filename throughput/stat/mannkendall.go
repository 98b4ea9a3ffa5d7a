package stat

import (
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// TrendResult is a test of a series, in the order measured, against a trend.
type TrendResult struct {
	S        float64 // rises minus falls over all pairs
	Variance float64 // of S without a trend
	Z, P     float64 // with continuity correction; two-sided
}

// MannKendall tests a series of two or more for a monotone trend (Mann 1945), in
// O(n log n), with the variance of ties. Slow drift and warm-up show; so does
// autocorrelation.
func MannKendall(ys []float64) (TrendResult, error) {
	if err := checkFinite("ys", ys, 2); err != nil {
		return TrendResult{}, err
	}
	time := make([]float64, len(ys))
	for i := range time {
		time[i] = float64(i)
	}
	pairs, tx, ty := countPairs(time, ys)
	r := TrendResult{S: float64(pairs.Concordant - pairs.Discordant), Variance: kendallVariance(len(ys), tx, ty)}
	if toward := math.Abs(r.S) - 1; toward > 0 && r.Variance > 0 {
		r.Z = math.Copysign(toward/math.Sqrt(r.Variance), r.S)
	}
	r.P = normalTwoSided(r.Z)
	return r, nil
}

// String gives the one-line form.
func (r TrendResult) String() string { return fmt.Sprintf("trend z = %.2f, p = %.2g", r.Z, r.P) }

// MarshalJSON gives the figures.
func (r TrendResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "s", Value: r.S}, {Name: "variance", Value: r.Variance}, {Name: "z", Value: r.Z}, {Name: "p", Value: r.P},
	}.MarshalJSON()
}

// theilSenLimit keeps the pairs of a series within 400 MB.
const theilSenLimit = 10_000

// TheilSen returns the median slope over all pairs of a series of 2 to 10,000
// observations, one step apart, and the line's value at the first: robust where
// a fit by least squares follows one bad run (Sen 1968).
func TheilSen(ys []float64) (slope, intercept float64, err error) {
	if err := checkFinite("ys", ys, 2); err != nil {
		return 0, 0, err
	}
	if len(ys) > theilSenLimit {
		return 0, 0, fmt.Errorf("%w: %d observations, at most %d", ErrParameter, len(ys), theilSenLimit)
	}
	slopes := make([]float64, 0, len(ys)*(len(ys)-1)/2)
	for i, y := range ys {
		for j, z := range ys[i+1:] {
			slopes = append(slopes, (z-y)/float64(j+1))
		}
	}
	slices.Sort(slopes)
	slope = median(slopes)
	return slope, median(slices.Sorted(slices.Values(ys))) - slope*float64(len(ys)-1)/2, nil
}
