package bt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/internal/resample"
)

// BootstrapOptions steers [Model.Bootstrap] and [Model.Heterogeneity].
type BootstrapOptions struct {
	Replicates int      // 0 means 1000
	Seed       uint64   // 0 is a fixed seed
	By         []string // labels whose clusters are resampled, each by itself; none: unit comparisons
	Level      float64  // 0 means 0.95
}

// Bootstrap is what the fit would have been on other samples like the data.
// Every slice is in the order of Items.
type Bootstrap struct {
	Items         []string
	Replicates    int
	Failed        int        // replicates without a finite fit, left out of all figures
	Absent        int        // replicates in which some item had no comparison
	Intervals     []Interval // of the log-strengths: percentiles
	Strengths     []Interval // of the chances to beat an average item
	RankIntervals []RankInterval
	PBest         []float64 // chance to be the strongest; equals share it
	Warnings      []error
	draws         [][]float64 // log-strengths of the replicates that have any
}

// RankInterval is a rank, 1 being the strongest, with its percentile interval.
type RankInterval struct {
	Estimate int     `json:"estimate"`
	Lo       int     `json:"lo"`
	Hi       int     `json:"hi"`
	Level    float64 `json:"level"`
}

// Bootstrap resamples the unit comparisons, or whole clusters of them (two
// labels: both at once, by products of their multiplicities; Owen 2007), and
// refits each replicate. It is the same for any GOMAXPROCS. It fails with
// [ErrLevel], [ErrOptions], [ErrUnknownLabel], [ErrClusters], or
// [ErrUnsupported] for more than 1e15 comparisons.
func (m *Model) Bootstrap(o *BootstrapOptions) (*Bootstrap, error) {
	opts, err := o.filled()
	if err != nil {
		return nil, err
	}
	s, err := m.newSampler(opts.By)
	if err != nil {
		return nil, err
	}
	draws, absent := make([][]float64, opts.Replicates), make([]bool, opts.Replicates)
	resample.Each(opts.Replicates, s.newReplica, func(i int, r *replica) {
		s.draw(r, resample.Rand(opts.Seed, i))
		absent[i] = slices.Contains(r.p.weight, 0)
		draws[i] = r.fit(m)
	})
	b := &Bootstrap{Items: m.Items(), Replicates: opts.Replicates}
	for _, p := range s.labels {
		b.Warnings = append(b.Warnings, few(len(p.names))...)
	}
	for i, x := range draws {
		if absent[i] {
			b.Absent++
		}
		if x == nil {
			b.Failed++
		} else {
			b.draws = append(b.draws, x)
		}
	}
	b.summarise(m, opts.Level)
	return b, nil
}

func (o *BootstrapOptions) filled() (BootstrapOptions, error) {
	out := BootstrapOptions{}
	if o != nil {
		out = *o
	}
	if out.Replicates == 0 {
		out.Replicates = 1000
	}
	if out.Replicates < 0 {
		return out, fmt.Errorf("%w: %d replicates", ErrOptions, out.Replicates)
	}
	var err error
	out.Level, err = checkLevel(out.Level)
	return out, err
}

// summarise fills in the figures from the draws.
func (b *Bootstrap) summarise(m *Model, level float64) {
	n := m.p.n
	tail := (1 - level) / 2
	_, fitted := byStrength(m.x[:n])
	ranks := make([][]int, len(b.draws))
	mean := average(m.x[:n])
	means := make([]float64, len(b.draws))
	for r, x := range b.draws {
		means[r] = average(x)
		_, ranks[r] = byStrength(x)
	}
	column, centred, places := make([]float64, len(b.draws)), make([]float64, len(b.draws)), make([]int, len(b.draws))
	for i := range n {
		for r, x := range b.draws {
			column[r], centred[r], places[r] = x[i], x[i]-means[r], ranks[r][i]
		}
		slices.Sort(column)
		slices.Sort(centred)
		slices.Sort(places)
		b.Intervals = append(b.Intervals, Interval{m.x[i], quantile(column, tail), quantile(column, 1-tail), level})
		b.Strengths = append(b.Strengths, Interval{sigmoid(m.x[i] - mean), sigmoid(quantile(centred, tail)), sigmoid(quantile(centred, 1-tail)), level})
		b.RankIntervals = append(b.RankIntervals, RankInterval{fitted[i], rankQuantile(places, tail), rankQuantile(places, 1-tail), level})
	}
	b.PBest = b.PTop(1)
	b.warn()
}

func (b *Bootstrap) warn() {
	if b.Failed*100 > b.Replicates {
		b.Warnings = append(b.Warnings, fmt.Errorf("bt: %d of %d replicates have no finite fit and are left out: the intervals are too short, ProfileInterval's are not", b.Failed, b.Replicates))
	}
	if b.Absent > 0 {
		b.Warnings = append(b.Warnings, fmt.Errorf("bt: in %d of %d replicates some item has no comparison", b.Absent, b.Replicates))
	}
}

// PTop returns each item's chance to be among the k strongest: P(rank <= k).
// Equals share what is left of the k places.
func (b *Bootstrap) PTop(k int) []float64 {
	out := make([]float64, len(b.Items))
	for _, x := range b.draws {
		order, rank := byStrength(x)
		for from := 0; from < len(order) && from < k; {
			to := from + 1
			for to < len(order) && rank[order[to]] == rank[order[from]] {
				to++
			}
			share := min(1, float64(k-from)/float64(to-from))
			for _, i := range order[from:to] {
				out[i] += share
			}
			from = to
		}
	}
	for i := range out {
		out[i] /= float64(len(b.draws)) // NaN without any
	}
	return out
}

// String gives each item's chance to be the strongest.
func (b *Bootstrap) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d replicates, %d failed; best:", b.Replicates, b.Failed)
	for i, name := range b.Items {
		fmt.Fprintf(&out, " %s %.3f", name, b.PBest[i])
	}
	return out.String()
}

// MarshalJSON leaves the replicates themselves out.
func (b *Bootstrap) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "items", Value: b.Items}, {Name: "replicates", Value: b.Replicates},
		{Name: "failed", Value: b.Failed}, {Name: "absent", Value: b.Absent},
		{Name: "log_strengths", Value: b.Intervals}, {Name: "strengths", Value: b.Strengths},
		{Name: "ranks", Value: b.RankIntervals}, {Name: "p_best", Value: b.PBest},
		{Name: "warnings", Value: b.Warnings},
	}.MarshalJSON()
}

// quantile interpolates linearly between sorted values; NaN without any.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	k := min(int(at), len(sorted)-2)
	if k < 0 {
		return sorted[0]
	}
	return sorted[k] + (at-float64(k))*(sorted[k+1]-sorted[k])
}

// rankQuantile is the smallest rank with at least q of the draws up to it; 0
// without draws.
func rankQuantile(sorted []int, q float64) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}
