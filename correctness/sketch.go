package correctness

import (
	"cmp"
	"math"
	"slices"
)

// SketchError is the relative error of percentiles once an [Accumulator] holds
// more positions than it keeps one by one.
const SketchError = 0.01

// Logarithmic buckets as of Masson, Rim and Lee (2019): every value of bucket i,
// (g^(i-1), g^i] with g = (1+e)/(1-e), lies within a relative e of its middle.
var logGrowth = math.Log((1 + SketchError) / (1 - SketchError))

// zeroBucket holds exact zeros.
const zeroBucket = math.MinInt32

// bucket counts values of one range of a sketch.
type bucket struct {
	At    int32
	Count int64
}

func bucketOf(x float64) int32 {
	if x == 0 {
		return zeroBucket
	}
	return int32(math.Ceil(math.Log(x) / logGrowth))
}

func (b bucket) value() float64 {
	if b.At == zeroBucket {
		return 0
	}
	return (1 - SketchError) * math.Exp(float64(b.At)*logGrowth)
}

// sketched counts values by bucket, in ascending order.
func sketched(values []float64) []bucket {
	at := make([]int32, len(values))
	for i, x := range values {
		at[i] = bucketOf(x)
	}
	slices.Sort(at)
	var out []bucket
	for _, i := range at {
		if n := len(out); n > 0 && out[n-1].At == i {
			out[n-1].Count++
		} else {
			out = append(out, bucket{i, 1})
		}
	}
	return out
}

// addTo adds one value to a sketch.
func addTo(s []bucket, x float64) []bucket {
	i := bucketOf(x)
	at, found := slices.BinarySearchFunc(s, i, func(b bucket, i int32) int { return cmp.Compare(b.At, i) })
	if found {
		s[at].Count++
		return s
	}
	return slices.Insert(s, at, bucket{i, 1})
}
