package correctness

import (
	"fmt"
	"math"
)

const defaultMinPrompts = 10

// Criterion is what an engine is judged by. A figure of 0 is not judged; a
// criterion that judges nothing is inconclusive.
type Criterion struct {
	MaxMeanKL       float64 // nats
	MinTopAgreement float64 // share of positions, 0 to 1
	MaxP99          float64 // nats

	MinPrompts int // fewer are inconclusive; 0 is 10

	// The mean KL of the reference with itself run again, and with itself as
	// stored: a MaxMeanKL below either cannot be told from them.
	NoiseFloor, StorageFloor float64
}

// invalid returns what is wrong with a criterion, "" if nothing is.
func (c *Criterion) invalid() string {
	for _, f := range []struct {
		name string
		x    float64
	}{{"MaxMeanKL", c.MaxMeanKL}, {"MinTopAgreement", c.MinTopAgreement}, {"MaxP99", c.MaxP99},
		{"NoiseFloor", c.NoiseFloor}, {"StorageFloor", c.StorageFloor}} {
		if !(f.x >= 0) || math.IsInf(f.x, 1) {
			return fmt.Sprintf("the criterion's %s of %g is no limit", f.name, f.x)
		}
	}
	switch {
	case c.MinTopAgreement > 1:
		return fmt.Sprintf("the criterion's MinTopAgreement of %g is over 1", c.MinTopAgreement)
	case c.MinPrompts < 0:
		return fmt.Sprintf("the criterion's MinPrompts of %d is negative", c.MinPrompts)
	}
	return c.belowFloor()
}

// belowFloor returns why MaxMeanKL is too small to be judged, "" if it is not.
func (c *Criterion) belowFloor() string {
	switch {
	case c.MaxMeanKL == 0:
		return ""
	case c.MaxMeanKL < c.NoiseFloor:
		return fmt.Sprintf("the tolerance of %.4g nats is below the noise floor: the reference differs from itself by %.4g", c.MaxMeanKL, c.NoiseFloor)
	case c.MaxMeanKL < c.StorageFloor:
		return fmt.Sprintf("the tolerance of %.4g nats is below the storage precision, which alone costs %.4g", c.MaxMeanKL, c.StorageFloor)
	}
	return ""
}
