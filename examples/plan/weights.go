package main

import (
	"fmt"
	"math"

	"example.com/servemath/capacity"
	"example.com/servemath/kvcache"
)

// checkpoint is the size of a row's checkpoint: recorded, or parameters times
// nominal bits, and how that came about.
func (r row) checkpoint() (kvcache.Bytes, string, error) {
	if r.weights > 0 {
		return r.weights, "checkpoint of " + r.weightsGB + " GB", nil
	}
	bits, err := capacity.NominalBits(r.quantization)
	if err != nil {
		return 0, "", fmt.Errorf("no weights_gb, and no nominal bits: %w", err)
	}
	params, err := capacity.ParseParams(r.params)
	if err != nil {
		return 0, "", fmt.Errorf("no weights_gb: %w", err)
	}
	size := math.Round(params * float64(bits) / 8)
	if size >= math.MaxInt64 {
		return 0, "", fmt.Errorf("no weights_gb, and params %q are too many", r.params)
	}
	return kvcache.Bytes(size), fmt.Sprintf("%s parameters x %d bits; no checkpoint is recorded", r.params, bits), nil
}
