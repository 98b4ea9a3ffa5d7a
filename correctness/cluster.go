package correctness

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/servemath/internal/resample"
)

// clusters are the sums of a quantity over each prompt, and the numbers of
// positions they are over.
type clusters struct{ sum, n []float64 }

func (c *clusters) add(sum, n float64) {
	c.sum, c.n = append(c.sum, sum), append(c.n, n)
}

// mean returns the mean over positions and its standard error when positions of
// one prompt are not independent:
//
//	sqrt(G/(G-1) sum over prompts of (sum of (x - mean))^2) / n
//
// which is NaN for one prompt.
func (c *clusters) mean() (mean, stdErr float64) {
	all := make([]int, len(c.sum))
	for i := range all {
		all[i] = i
	}
	mean, stdErr = c.meanOf(all)
	if len(all) < 2 {
		stdErr = math.NaN()
	}
	return mean, stdErr
}

// meanOf is mean for a sample of two prompts or more.
func (c *clusters) meanOf(drawn []int) (mean, stdErr float64) {
	var sum, n exact
	for _, g := range drawn {
		sum.add(c.sum[g])
		n.add(c.n[g])
	}
	mean = sum.Hi / n.Hi
	var ss float64
	for _, g := range drawn {
		d := c.sum[g] - mean*c.n[g]
		ss += d * d
	}
	prompts := float64(len(drawn))
	return mean, math.Sqrt(prompts/(prompts-1)*ss) / n.Hi
}

// interval returns the two-sided bootstrap-t interval of the mean (Efron 1982):
// prompts are drawn with replacement, and the quantiles of (mean* - mean)/stdErr*
// take the place of Student's. It stands up to skewed data better than the
// t interval does. With one prompt there is no upper end.
func (c *clusters) interval(o *SummaryOptions) (lo, hi float64) {
	mean, stdErr := c.mean()
	if len(c.sum) < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	if stdErr == 0 {
		return mean, mean
	}
	t := make([]float64, o.Replicates)
	resample.Each(len(t), c.sample, func(i int, drawn []int) {
		r := resample.Rand(o.Seed, i)
		for j := range drawn {
			drawn[j] = r.IntN(len(drawn))
		}
		m, se := c.meanOf(drawn)
		t[i] = pivot(m-mean, se)
	})
	slices.Sort(t)
	tail := (1 - o.Level) / 2
	return mean - orderStat(t, 1-tail)*stdErr, mean - orderStat(t, tail)*stdErr
}

func (c *clusters) sample() []int { return make([]int, len(c.sum)) }

// pivot is d/se; a draw of equal prompts has no spread, and any distance is
// infinitely many of it.
func pivot(d, se float64) float64 {
	if d == 0 {
		return 0
	}
	return d / se
}

// orderStat returns the order statistic at q, the outer one of the neighbours:
// no interpolation, so that infinite pivots stay what they are.
func orderStat(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)+1)
	i := int(math.Ceil(at-1e-9)) - 1
	if q < 0.5 {
		i = int(at+1e-9) - 1
	}
	return sorted[min(max(i, 0), len(sorted)-1)]
}

// share returns a clustered interval of a proportion (Korn and Graubard 1998):
// the exact binomial one for as many positions as the design effect leaves, with
// degrees of freedom by prompts. Where all prompts agree the design effect is not
// known and taken as 1.
func (c *clusters) share(level float64) (share, lo, hi float64) {
	share, stdErr := c.mean()
	prompts := float64(len(c.sum))
	n := total(c.n)
	if prompts < 2 {
		return share, 0, 1
	}
	effective := n
	if v := share * (1 - share) / n; v > 0 {
		effective = n / max(1, stdErr*stdErr/v)
	}
	p := (1 + level) / 2
	if n > 1 {
		shrink := student(p, n-1) / student(p, prompts-1)
		effective *= shrink * shrink
	}
	k := share * effective
	lo, hi = 0, 1
	if k > 0 {
		lo = distuv.Beta{Alpha: k, Beta: effective - k + 1}.Quantile(1 - p)
	}
	if k < effective {
		hi = distuv.Beta{Alpha: k + 1, Beta: effective - k}.Quantile(p)
	}
	return share, lo, hi
}

func student(p, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
}

// studentTail is the chance of a t statistic of at least t.
func studentTail(t, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(t)
}
