package bt

import (
	"errors"
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Robust is a covariance that holds although comparisons within a cluster
// depend on each other.
type Robust struct {
	Cov      *mat.SymDense // of the log-strengths
	StdErrs  []float64
	Clusters int // with two labels, of the one with fewer
	Warnings []error
}

// fewClusters is where cluster-robust variances become unreliable.
const fewClusters = 20

// Robust returns the sandwich covariance of the log-strengths, clustered by a
// label of the comparisons (Liang and Zeger 1986), or by each unit comparison
// when no label is given (White's HC0). Two labels give two-way clustering
// (Cameron, Gelbach and Miller 2011). No finite-sample factor is applied: see
// [Robust.Corrected]. It fails with [ErrUnknownLabel] when a comparison lacks a
// label, with [ErrClusters] when there are fewer than two clusters, and with
// [ErrUnsupported] for more than two labels or weights beyond squaring.
func (m *Model) Robust(by ...string) (*Robust, error) {
	if err := m.squarable(); err != nil {
		return nil, err
	}
	r := &Robust{Clusters: math.MaxInt}
	bread := m.information().inverse()
	bread.ScaleSym(m.p.total, bread) // scores are relative to it: their squares must not overflow
	dim := m.p.dim()
	meat := mat.NewSymDense(dim, nil)
	err := eachWay(by, m.partition, func(sign float64, p *partition) {
		if p == nil {
			r.Clusters = m.addUnitScores(meat)
			return
		}
		if sign > 0 {
			r.Clusters = min(r.Clusters, len(p.names))
		}
		for _, s := range m.clusterScores(p) {
			meat.SymRankOne(meat, sign, mat.NewVecDense(dim, s))
		}
	})
	if err != nil {
		return nil, err
	}
	if r.Clusters < 2 {
		return nil, fmt.Errorf("%w: one comparison", ErrClusters)
	}
	r.Cov = m.itemBlock(sandwich(bread, meat))
	return r.finish(len(by) > 1, m.p.n)
}

// squarable fails where squares of scores would leave a float64's range.
func (m *Model) squarable() error {
	for i := range m.cells {
		if w := m.cells[i].weight; w < m.p.total*1e-140 {
			return fmt.Errorf("%w: weights too far apart for a sandwich covariance: %g of %g", ErrUnsupported, w, m.p.total)
		}
	}
	return nil
}

// Corrected multiplies the covariance by G/(G-1), for G clusters.
func (r *Robust) Corrected() *Robust {
	g := float64(r.Clusters)
	out := *r
	out.Cov = mat.NewSymDense(r.Cov.SymmetricDim(), nil)
	out.Cov.ScaleSym(g/(g-1), r.Cov)
	out.StdErrs = stdErrs(out.Cov)
	return &out
}

// interval returns what an interval is made of: the covariance and the standard
// errors to either side.
func (r *Robust) interval(level float64, smallSample bool) (cov *mat.SymDense, quantile float64) {
	if smallSample {
		return r.Corrected().Cov, distuv.StudentsT{Sigma: 1, Nu: float64(r.Clusters - 1)}.Quantile((1 + level) / 2)
	}
	return r.Cov, distuv.UnitNormal.Quantile((1 + level) / 2)
}

// String gives the clusters and the standard errors.
func (r *Robust) String() string {
	return fmt.Sprintf("standard errors %.4g from %d clusters", r.StdErrs, r.Clusters)
}

// MarshalJSON writes the covariance as rows.
func (r *Robust) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "std_errs", Value: r.StdErrs}, {Name: "covariance", Value: matrixRows(r.Cov)},
		{Name: "clusters", Value: r.Clusters}, {Name: "warnings", Value: r.Warnings},
	}.MarshalJSON()
}

// finish fills in the standard errors and what to beware of. A two-way
// covariance is a difference, and need not be one at all.
func (r *Robust) finish(twoWay bool, items int) (*Robust, error) {
	r.Warnings = append(r.Warnings, few(r.Clusters)...)
	if r.Clusters < items {
		r.Warnings = append(r.Warnings, fmt.Errorf("bt: %d clusters leave at most %d of %d directions with a variance", r.Clusters, r.Clusters-1, items-1))
	}
	if twoWay && clip(r.Cov) {
		r.Warnings = append(r.Warnings, errors.New("bt: the two-way covariance had negative variances, now zero"))
	}
	r.StdErrs = stdErrs(r.Cov)
	if floats.HasNaN(r.StdErrs) {
		return nil, fmt.Errorf("%w: weights too far apart for a sandwich covariance", ErrUnsupported)
	}
	return r, nil
}

// few warns of few clusters.
func few(clusters int) []error {
	if clusters >= fewClusters {
		return nil
	}
	return []error{fmt.Errorf("bt: %d clusters are few: intervals from fewer than %d tend to be too narrow", clusters, fewClusters)}
}

// clip sets negative eigenvalues to zero and says whether there were any beyond
// rounding.
func clip(cov *mat.SymDense) bool {
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return false
	}
	values := eigen.Values(nil)
	if values[0] >= -1e-12*values[len(values)-1] {
		return false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	cov.Zero()
	for k, v := range values {
		if v > 0 {
			cov.SymRankOne(cov, v, vectors.ColView(k))
		}
	}
	return true
}

// eachWay visits the non-empty sets of labels with the signs of inclusion and
// exclusion, and a nil partition, each unit comparison, when there is no label.
func eachWay(by []string, split func(...string) (*partition, error), visit func(sign float64, p *partition)) error {
	switch len(by) {
	case 0:
		visit(1, nil)
		return nil
	case 1, 2:
	default:
		return fmt.Errorf("%w: clusters by %d labels", ErrUnsupported, len(by))
	}
	for _, label := range by {
		p, err := split(label)
		if err != nil {
			return err
		}
		if err := p.several(label); err != nil {
			return err
		}
		visit(1, p)
	}
	if len(by) == 2 {
		p, err := split(by...)
		if err != nil {
			return err
		}
		visit(-1, p)
	}
	return nil
}

// matrixRows lists a covariance for JSON.
func matrixRows(m mat.Symmetric) [][]float64 {
	out := make([][]float64, m.SymmetricDim())
	for i := range out {
		out[i] = mat.Row(nil, i, m)
	}
	return out
}

func sandwich(bread, meat *mat.SymDense) *mat.SymDense {
	n := bread.SymmetricDim()
	var left, whole mat.Dense
	left.Mul(bread, meat)
	whole.Mul(&left, bread)
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	return out
}
