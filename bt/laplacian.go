package bt

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// laplacian is a factor of a graph Laplacian plus a diagonal,
// L = diag(ground + row sums of w) - w, with weights w >= 0 and ground >= 0.
//
// It is Cholesky's elimination carried out on the weights themselves
// (Grassmann, Taksar and Heyman 1985): nothing is subtracted, so light edges
// keep their digits beside edges 1e12 times heavier. Each row reaches as far as
// elimination in the given order fills it, so that a chain costs what it is
// long.
type laplacian struct {
	edges []edge
	at    []int       // at[i]: place of item i in the elimination
	rows  [][]float64 // row k, right of the diagonal: w_kj over the pivot
	pivot []float64   // 0 marks the item that grounds a singular L
	y     []float64   // scratch of solve
}

// newLaplacian makes room for an elimination in that order of the items.
func newLaplacian(edges []edge, order []int) *laplacian {
	n := len(order)
	l := &laplacian{edges: edges, at: make([]int, n), pivot: make([]float64, n), y: make([]float64, n)}
	for k, i := range order {
		l.at[i] = k
	}
	lengths, size := l.lengths()
	all := make([]float64, size)
	l.rows = make([][]float64, n)
	for k, length := range lengths {
		l.rows[k], all = all[:length:length], all[length:]
	}
	return l
}

// lengths says how far each row reaches right of the diagonal, and their sum. An
// eliminated row fills those below it as far as itself.
func (l *laplacian) lengths() (lengths []int, size int) {
	lengths = make([]int, len(l.at))
	for _, e := range l.edges {
		a, b := l.at[e.i], l.at[e.j]
		k := min(a, b)
		lengths[k] = max(lengths[k], max(a, b)-k)
	}
	for k := range lengths {
		if k > 0 {
			lengths[k] = max(lengths[k], lengths[k-1]-1)
		}
		size += lengths[k]
	}
	return lengths, size
}

// byWeight eliminates light items first: the heaviest grounds the rest.
func byWeight(weight []float64) []int {
	order := make([]int, len(weight))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[a], weight[b]) })
	return order
}

// factor eliminates the items one by one.
func (l *laplacian) factor(s *slope) {
	l.load(s)
	for k, row := range l.rows {
		sum := l.pivot[k] + floats.Sum(row)
		for m, wk := range row {
			if wk == 0 {
				continue
			}
			i := k + 1 + m
			r := wk / sum
			rest := row[m+1:]
			floats.AddScaled(l.rows[i][:len(rest)], r, rest)
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
func (l *laplacian) load(s *slope) {
	for _, row := range l.rows {
		clear(row)
	}
	clear(l.pivot)
	for k, e := range l.edges {
		a, b := l.at[e.i], l.at[e.j]
		l.rows[min(a, b)][max(a, b)-min(a, b)-1] += s.curve[k]
	}
	for i, g := range s.ground {
		l.pivot[l.at[i]] = g
	}
}

// solve sets x to a solution of L x = b. For a singular L, b must sum to zero,
// and the grounded item gets 0.
func (l *laplacian) solve(x, b []float64) {
	y := l.y
	for i, k := range l.at {
		y[k] = b[i]
	}
	for k, row := range l.rows {
		floats.AddScaled(y[k+1:k+1+len(row)], y[k], row)
	}
	for k, row := range slices.Backward(l.rows) {
		if l.pivot[k] > 0 {
			y[k] = y[k]/l.pivot[k] + floats.Dot(row, y[k+1:k+1+len(row)])
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
	out.y = make([]float64, len(l.y))
	return &out
}
