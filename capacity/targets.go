package capacity

import (
	"fmt"
	"math"
	"strings"
)

// Targets are what a request must meet. All are inclusive; 0 means not set.
type Targets struct {
	MaxTTFTSeconds float64 `json:"max_ttft_seconds,omitzero"`
	MinTPS         float64 `json:"min_tps,omitzero"`         // of one request, in the sweep's kind
	MaxE2ESeconds  float64 `json:"max_e2e_seconds,omitzero"` // the whole request

	// Which requests must meet them, for the queueing model: the mean one where
	// both are 0. Measured levels know the mean only.
	Attainment float64 `json:"attainment,omitzero"` // this share of requests meets all targets at once
	Percentile float64 `json:"percentile,omitzero"` // each target for itself is met by this share of requests
}

// DefaultTargets returns the published ones: the first token within 1 s and 20
// tokens per second.
func DefaultTargets() Targets { return Targets{MaxTTFTSeconds: 1, MinTPS: 20} }

// String lists the targets that are set.
func (t Targets) String() string {
	var parts []string
	add := func(x float64, format string) {
		if x != 0 {
			parts = append(parts, fmt.Sprintf(format, x))
		}
	}
	add(t.MaxTTFTSeconds, "TTFT <= %v s")
	add(t.MinTPS, "TPS >= %v")
	add(t.MaxE2ESeconds, "whole request <= %v s")
	if len(parts) == 0 {
		return "no target"
	}
	list := strings.Join(parts, ", ")
	switch {
	case t.Attainment > 0:
		return fmt.Sprintf("%s for %.6g%% of requests", list, 100*t.Attainment)
	case t.Percentile > 0:
		return fmt.Sprintf("%s each for %.6g%% of requests", list, 100*t.Percentile)
	}
	return list
}

func (t Targets) check() error {
	for _, f := range []struct {
		name string
		x    float64
	}{{"MaxTTFTSeconds", t.MaxTTFTSeconds}, {"MinTPS", t.MinTPS}, {"MaxE2ESeconds", t.MaxE2ESeconds}} {
		if !nonNegative(f.x) {
			return fmt.Errorf("%w: %s: %v is neither 0 (not set) nor positive and finite", ErrTargets, f.name, f.x)
		}
	}
	switch {
	case !(t.Attainment >= 0 && t.Attainment <= 1):
		return fmt.Errorf("%w: Attainment: %v is not in 0 to 1", ErrTargets, t.Attainment)
	case !(t.Percentile >= 0 && t.Percentile <= 1):
		return fmt.Errorf("%w: Percentile: %v is not in 0 to 1", ErrTargets, t.Percentile)
	case t.Attainment > 0 && t.Percentile > 0:
		return fmt.Errorf("%w: Attainment and Percentile are both set", ErrTargets)
	}
	return nil
}

// ofMeans are the targets as measured levels are held against them.
func (t Targets) ofMeans() Targets {
	t.Attainment, t.Percentile = 0, 0
	return t
}

// met reports the targets that are set and hold, within rounding, for a request
// in service.
func (t Targets) met(ttft, tps, e2e float64) bool {
	return (t.MaxTTFTSeconds == 0 || atMost(ttft, t.MaxTTFTSeconds)) &&
		(t.MinTPS == 0 || atMost(t.MinTPS, tps)) &&
		(t.MaxE2ESeconds == 0 || atMost(e2e, t.MaxE2ESeconds))
}

// atMost reports x <= limit for a figure that went through arithmetic.
func atMost(x, limit float64) bool { return x <= limit+roundOff*math.Abs(limit) }

// failed names the targets that the three figures miss, compared exactly; a TTFT
// that is not known misses.
func (t Targets) failed(ttft, tps, e2e float64) []string {
	var names []string
	if t.MaxTTFTSeconds > 0 && !(ttft <= t.MaxTTFTSeconds) {
		names = append(names, "TTFT")
	}
	if t.MinTPS > 0 && tps < t.MinTPS {
		names = append(names, "TPS")
	}
	if t.MaxE2ESeconds > 0 && e2e > t.MaxE2ESeconds {
		names = append(names, "E2E")
	}
	return names
}
