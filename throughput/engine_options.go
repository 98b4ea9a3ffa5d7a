package throughput

import (
	"cmp"
	"fmt"
)

// EngineOptions are the settings of [CompareEngines]; the zero value is ready.
type EngineOptions struct {
	Platform, Setup string  // only the rows of these; empty: of all
	Level           float64 // of the intervals; 0: 0.95. The verdict's alpha is 1 - Level
	Margin          float64 // relative difference that does not matter; 0: 0.03
	LowerIsBetter   bool    // the rows are latencies
	Replicates      int     // of the cluster bootstrap; 0: 2,000
	Seed            uint64  // 0: a fixed one
}

func (o *EngineOptions) defaults() (EngineOptions, error) {
	var out EngineOptions
	if o != nil {
		out = *o
	}
	out.Level = cmp.Or(out.Level, 0.95)
	out.Margin = cmp.Or(out.Margin, 0.03)
	out.Replicates = cmp.Or(out.Replicates, 2000)
	switch {
	case !(out.Level > 0 && out.Level < 1):
		return out, fmt.Errorf("%w: Level = %g", ErrOptions, out.Level)
	case !(out.Margin > 0 && out.Margin < 1):
		return out, fmt.Errorf("%w: Margin = %g", ErrOptions, out.Margin)
	case out.Replicates < 0:
		return out, fmt.Errorf("%w: Replicates = %d", ErrOptions, out.Replicates)
	}
	return out, nil
}
