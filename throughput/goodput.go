package throughput

import (
	"fmt"
	"math"
)

// SLO is what a request must meet to count as good. 0 is not set.
type SLO struct{ MaxTTFTSeconds, MaxTPOTSeconds, MaxE2ESeconds float64 }

// MeasureGoodput returns the completed requests that meet every target, per
// second of the run. A request of one token has no TPOT to miss.
func MeasureGoodput(trace []Request, o SLO) (Value, error) {
	if err := checkTrace(trace); err != nil {
		return Value{}, err
	}
	if !(o.MaxTTFTSeconds >= 0 && o.MaxTPOTSeconds >= 0 && o.MaxE2ESeconds >= 0) || o == (SLO{}) {
		return Value{}, fmt.Errorf("%w: targets %+v, want one at least and none negative", ErrOptions, o)
	}
	within := func(x, most float64) bool { return most == 0 || x <= most }
	good := 0
	for _, r := range completed(trace) {
		tpot := append(r.tpot(Definition{}), 0)[0]
		if within(r.ttft(), o.MaxTTFTSeconds) && within(tpot, o.MaxTPOTSeconds) && within(r.e2e(), o.MaxE2ESeconds) {
			good++
		}
	}
	return Value{Metric: Goodput, Stat: Total, Value: float64(good) / window(trace), N: good, SD: math.NaN()}, nil
}
