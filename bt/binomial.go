package bt

import (
	"math"
	"math/rand/v2"
)

// binomial draws the number of successes among n trials of chance p.
func binomial(rng *rand.Rand, n int64, p float64) int64 {
	switch {
	case n <= 0 || !(p > 0):
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - binomial(rng, n, 1-p)
	case float64(n)*p < 10:
		return binomialByInversion(rng, n, p)
	}
	return binomialByRejection(rng, n, p)
}

// binomialByInversion walks up the distribution.
func binomialByInversion(rng *rand.Rand, n int64, p float64) int64 {
	odds := p / (1 - p)
	chance := math.Exp(float64(n) * math.Log1p(-p))
	u := rng.Float64()
	for k := range n {
		if u < chance {
			return k
		}
		u -= chance
		chance *= odds * float64(n-k) / float64(k+1)
	}
	return n
}

// binomialByRejection is the transformed rejection with squeeze of Hörmann
// (1993), algorithm BTRS: a quarter of the cost of summing, whatever n is.
func binomialByRejection(rng *rand.Rand, n int64, p float64) int64 {
	size := float64(n)
	sd := math.Sqrt(size * p * (1 - p))
	b := 1.15 + 2.53*sd
	a := -0.0873 + 0.0248*b + 0.01*p
	for {
		u := rng.Float64() - 0.5
		v := rng.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + size*p + 0.5)
		if us >= 0.07 && v <= 0.92-4.2/b {
			return int64(k)
		}
		if k < 0 || k > size {
			continue
		}
		v = math.Log(v * (2.83 + 5.1/b) * sd / (a/(us*us) + b))
		if v <= logBinomialRatio(size, p, k) {
			return int64(k)
		}
	}
}

// logBinomialRatio is the log chance of k over that of the mode.
func logBinomialRatio(n, p, k float64) float64 {
	m, odds := math.Floor((n+1)*p), p/(1-p)
	return (m+0.5)*math.Log((m+1)/(odds*(n-m+1))) + (n+1)*math.Log((n-m+1)/(n-k+1)) +
		(k+0.5)*math.Log(odds*(n-k+1)/(k+1)) + stirling(m) + stirling(n-m) - stirling(k) - stirling(n-k)
}

// stirling is what Stirling's formula lacks of log k!.
func stirling(k float64) float64 {
	if k < 10 {
		lg, _ := math.Lgamma(k + 1)
		return lg - (0.5*math.Log(2*math.Pi) + (k+0.5)*math.Log(k+1) - (k + 1))
	}
	s := (k + 1) * (k + 1)
	return (1.0/12 - (1.0/360-1.0/1260/s)/s) / (k + 1)
}
