package bt

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// laplacian is a dense factor of a graph Laplacian plus a diagonal,
// L = diag(ground + row sums of w) - w, with weights w >= 0 and ground >= 0.
//
// It is Cholesky's elimination carried out on the weights themselves
// (Grassmann, Taksar and Heyman 1985): nothing is subtracted, so light edges
// keep their digits beside edges 1e12 times heavier.
type laplacian struct {
	edges []edge
	n     int
	at    []int     // at[i]: place of item i in the elimination
	ratio []float64 // row k, right of the diagonal: w_kj over the pivot
	pivot []float64 // 0 marks the item that grounds a singular L
	y     []float64 // scratch of solve
}

// newLaplacian makes room for n items; light ones are eliminated first, and the
// heaviest grounds the rest.
func newLaplacian(edges []edge, n int, weight []float64) *laplacian {
	l := &laplacian{
		edges: edges, n: n, at: make([]int, n), ratio: make([]float64, n*n),
		pivot: make([]float64, n), y: make([]float64, n),
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[a], weight[b]) })
	for k, i := range order {
		l.at[i] = k
	}
	return l
}

// factor eliminates the items one by one.
func (l *laplacian) factor(s *slope) {
	l.load(s.curve, s.ground)
	n := l.n
	for k := range n {
		row := l.ratio[k*n+k+1 : (k+1)*n]
		sum := l.pivot[k] + floats.Sum(row)
		for m, wk := range row {
			if wk == 0 {
				continue
			}
			i := k + 1 + m
			r := wk / sum
			floats.AddScaled(l.ratio[i*n+i+1:(i+1)*n], r, row[m+1:])
			l.pivot[i] += r * l.pivot[k]
		}
		l.pivot[k] = sum
		if sum > 0 {
			for m := range row {
				row[m] /= sum
			}
		}
	}
}

// load fills the weights above the diagonal, and the ground into the pivots.
func (l *laplacian) load(w, ground []float64) {
	clear(l.ratio)
	clear(l.pivot)
	for k, e := range l.edges {
		a, b := l.at[e.i], l.at[e.j]
		l.ratio[min(a, b)*l.n+max(a, b)] += w[k]
	}
	for i, g := range ground {
		l.pivot[l.at[i]] = g
	}
}

// solve sets x to a solution of L x = b. For a singular L, b must sum to zero,
// and the grounded item gets 0.
func (l *laplacian) solve(x, b []float64) {
	n, y := l.n, l.y
	for i, k := range l.at {
		y[k] = b[i]
	}
	for k := range n {
		floats.AddScaled(y[k+1:], y[k], l.ratio[k*n+k+1:(k+1)*n])
	}
	for k := n - 1; k >= 0; k-- {
		if l.pivot[k] > 0 {
			y[k] = y[k]/l.pivot[k] + floats.Dot(l.ratio[k*n+k+1:(k+1)*n], y[k+1:])
		} else {
			y[k] = 0
		}
	}
	for i, k := range l.at {
		x[i] = y[k]
	}
}

func (l *laplacian) clone() solver {
	out := *l
	out.y = make([]float64, l.n)
	return &out
}
