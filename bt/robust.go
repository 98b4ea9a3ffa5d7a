package bt

import (
	"errors"
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/mat"
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
// label and with [ErrClusters] when there are fewer than two clusters.
func (m *Model) Robust(by ...string) (*Robust, error) {
	r := &Robust{Clusters: math.MaxInt}
	bread := m.information().inverse()
	dim := m.p.dim()
	meat := mat.NewSymDense(dim, nil)
	err := m.eachWay(by, func(sign float64, p *partition) {
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
	r.finish(len(by) > 1, m.p.n)
	return r, nil
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
func (r *Robust) finish(twoWay bool, items int) {
	if r.Clusters < fewClusters {
		r.Warnings = append(r.Warnings, fmt.Errorf("bt: %d clusters are few: intervals from fewer than %d tend to be too narrow", r.Clusters, fewClusters))
	}
	if r.Clusters < items {
		r.Warnings = append(r.Warnings, fmt.Errorf("bt: %d clusters leave at most %d of %d directions with a variance", r.Clusters, r.Clusters-1, items-1))
	}
	if twoWay && clip(r.Cov) {
		r.Warnings = append(r.Warnings, errors.New("bt: the two-way covariance had negative variances, now zero"))
	}
	r.StdErrs = stdErrs(r.Cov)
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
func (m *Model) eachWay(by []string, visit func(sign float64, p *partition)) error {
	if len(by) == 0 {
		visit(1, nil)
		return nil
	}
	if len(by) > 2 {
		return fmt.Errorf("%w: clusters by %d labels", ErrUnsupported, len(by))
	}
	for _, label := range by {
		p, err := m.partition(label)
		if err != nil {
			return err
		}
		if err := p.several(label); err != nil {
			return err
		}
		visit(1, p)
	}
	if len(by) == 2 {
		p, err := m.partition(by...)
		if err != nil {
			return err
		}
		visit(-1, p)
	}
	return nil
}

// unitScore is the score of one unit comparison, its weight included.
type unitScore struct {
	edge  edge
	order float64
	d, u  float64 // by the difference of log-strengths and the tie parameter
}

// eachScore visits every kind of outcome of every cell with the number of its
// unit comparisons.
func (m *Model) eachScore(visit func(c *cell, count float64, s unitScore)) {
	for i := range m.cells {
		c := &m.cells[i]
		for kind, count := range [...]float64{c.win, c.loss, c.tie} {
			if count > 0 {
				visit(c, count, m.unitScore(c, kind))
			}
		}
	}
}

// unitScore is that of a win (0), loss (1) or tie (2) of a cell.
func (m *Model) unitScore(c *cell, kind int) unitScore {
	p, one := m.p, c.unit(kind).tally(m.p.ties)
	s := unitScore{edge: edge{c.lo, c.hi}}
	d := m.x[c.lo] - m.x[c.hi]
	if p.orderAt > 0 {
		s.order = float64(c.order)
		d += s.order * m.x[p.orderAt]
	}
	var t terms
	switch {
	case p.tieAt == 0:
		win, loss := chances(d)
		t.d = one.win*loss - one.loss*win
	case p.ties == Davidson:
		t = davidsonTerms(&one, d, m.x[p.tieAt])
	default:
		t = raoKupperTerms(&one, d, m.x[p.tieAt])
	}
	s.d, s.u = t.d, t.u
	return s
}

// unit is a cell of one comparison: a win (0), loss (1) or tie (2).
func (c *cell) unit(kind int) *cell {
	one := &cell{cellKey: c.cellKey}
	switch kind {
	case 0:
		one.win = 1
	case 1:
		one.loss = 1
	default:
		one.tie = 1
	}
	return one
}

// addTo adds n times the score to one over all parameters.
func (s unitScore) addTo(out []float64, p *problem, n float64) {
	out[s.edge.i] += n * s.d
	out[s.edge.j] -= n * s.d
	if p.tieAt > 0 {
		out[p.tieAt] += n * s.u
	}
	if p.orderAt > 0 {
		out[p.orderAt] += n * s.order * s.d
	}
}

// clusterScores adds up the scores of each cluster.
func (m *Model) clusterScores(p *partition) [][]float64 {
	out := make([][]float64, len(p.names))
	for i := range out {
		out[i] = make([]float64, m.p.dim())
	}
	m.eachScore(func(c *cell, count float64, s unitScore) {
		s.addTo(out[p.of[c.group]], m.p, count)
	})
	return out
}

// addUnitScores adds the outer product of each unit comparison's score, and
// returns how many there are.
func (m *Model) addUnitScores(meat *mat.SymDense) int {
	n, one := 0.0, make([]float64, m.p.dim())
	m.eachScore(func(_ *cell, count float64, s unitScore) {
		n += count
		s.addTo(one, m.p, 1)
		at := s.places(m.p)
		for a, i := range at {
			for _, j := range at[a:] {
				meat.SetSym(i, j, meat.At(i, j)+count*one[i]*one[j])
			}
		}
		for _, i := range at {
			one[i] = 0
		}
	})
	return int(min(math.Round(n), math.MaxInt32))
}

// places are the parameters that a score touches.
func (s unitScore) places(p *problem) []int {
	at := []int{int(s.edge.i), int(s.edge.j)}
	if p.tieAt > 0 {
		at = append(at, p.tieAt)
	}
	if p.orderAt > 0 {
		at = append(at, p.orderAt)
	}
	return at
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
