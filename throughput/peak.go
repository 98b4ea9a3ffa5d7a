package throughput

import (
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// PeakOptions are the settings of [Peak]; the zero value is ready.
type PeakOptions struct {
	// CV is the coefficient of variation of one figure, from repetitions. It is
	// needed to say how far the peak of a sweep is above the truth by luck; 0:
	// unknown, and so are Bias and Corrected.
	CV float64
}

// PeakRow is an engine's best level of a sweep, over the levels that it shares with
// all other engines.
type PeakRow struct {
	Row              // of the best level: Setup names it
	Levels  int      // shared by all engines of the place
	Dropped []string // levels of this engine that another lacks

	// Candidates are the levels that could be the best, the peak's own included:
	// within two standard errors of the difference from it.
	Candidates []string
	// Bias is how far the peak is above the true best on average, relative:
	// CV times the expected largest of as many normal deviates as there are
	// candidates. Corrected is Value without it.
	Bias, Corrected float64
}

// Peak returns each engine's best level on every platform, machine and model. A
// row's Setup names the level, such as its concurrency. The longer of two sweeps
// finds the higher peak by chance alone, in 70% of cases for 7 against 3 equal
// levels, so only levels that all engines of a place share count.
func Peak(rows []Row, o *PeakOptions) ([]PeakRow, error) {
	var opt PeakOptions
	if o != nil {
		opt = *o
	}
	if !(opt.CV >= 0 && opt.CV < 1) {
		return nil, fmt.Errorf("%w: CV = %g", ErrOptions, opt.CV)
	}
	ix, err := newIndex(rows, func(Row) bool { return true })
	if err != nil {
		return nil, err
	}
	var out []PeakRow
	for i, j := 0, 0; i < len(ix.rows); i = j {
		for j = i + 1; j < len(ix.rows) && sweep(ix.rows[j].Row) == sweep(ix.rows[i].Row); j++ {
		}
		peaks, err := placePeaks(ix.rows[i:j], opt)
		if err != nil {
			return nil, err
		}
		out = append(out, peaks...)
	}
	return out, nil
}

// sweep is the place whose setups are the levels of one sweep.
func sweep(r Row) place { return place{r.Platform, r.Machine, r.Model, ""} }

// placePeaks finds the peaks of one place's rows, which are in order of level.
func placePeaks(rows []indexed, o PeakOptions) ([]PeakRow, error) {
	byEngine := map[string][]indexed{}
	var engines []string
	has := map[string]int{} // engines of each level
	for _, r := range rows {
		if byEngine[r.Engine] == nil {
			engines = append(engines, r.Engine)
		}
		byEngine[r.Engine] = append(byEngine[r.Engine], r)
		has[r.Setup]++
	}
	slices.Sort(engines)
	var out []PeakRow
	for _, e := range engines {
		p, shared := PeakRow{Dropped: []string{}}, []indexed(nil)
		for _, r := range byEngine[e] {
			if has[r.Setup] == len(engines) {
				shared = append(shared, r)
			} else {
				p.Dropped = append(p.Dropped, r.Setup)
			}
		}
		if len(shared) == 0 {
			return nil, fmt.Errorf("%w: the %d engines of %v share no level", ErrUnpaired, len(engines), sweep(rows[0].Row))
		}
		p.take(shared, o.CV)
		out = append(out, p)
	}
	return out, nil
}

// take sets the peak over shared levels; the first of equals.
func (p *PeakRow) take(shared []indexed, cv float64) {
	best := shared[0]
	for _, r := range shared {
		if r.Value > best.Value {
			best = r
		}
	}
	p.Row, p.Levels = best.Row, len(shared)
	for _, r := range shared {
		if r.Value >= best.Value*(1-2*math.Sqrt2*cv) {
			p.Candidates = append(p.Candidates, r.Setup)
		}
	}
	p.Bias, p.Corrected = math.NaN(), math.NaN()
	if cv > 0 {
		p.Bias = cv * expectedMax(len(p.Candidates))
		p.Corrected = p.Value / (1 + p.Bias)
	}
}

// expectedMax is the mean of the largest of k standard normal deviates: the
// integral of x k phi(x) Phi(x)^(k-1), by the trapezoidal rule, which converges
// faster than any power for such an integrand.
func expectedMax(k int) float64 {
	if k < 2 {
		return 0
	}
	const h = 1.0 / 16
	var sum float64
	for x := -10.0; x <= 10; x += h {
		phi := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
		below := math.Erfc(-x/math.Sqrt2) / 2
		sum += x * float64(k) * phi * math.Pow(below, float64(k-1))
	}
	return sum * h
}

// String gives one line.
func (p PeakRow) String() string {
	s := fmt.Sprintf("%v, best of %d shared levels", p.Row, p.Levels)
	if p.Bias > 0 {
		s += fmt.Sprintf(", about %.2g%% of it luck", 100*p.Bias)
	}
	return s
}

// MarshalJSON leaves out what is unknown.
func (p PeakRow) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "row", Value: p.Row}, {Name: "levels", Value: p.Levels}, {Name: "dropped", Value: p.Dropped},
		{Name: "candidates", Value: p.Candidates}, {Name: "bias", Value: p.Bias}, {Name: "corrected", Value: p.Corrected},
	}.MarshalJSON()
}
