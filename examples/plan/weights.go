package main

import (
	"fmt"
	"math/big"
	"strings"

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
	params, err := parameters(r.params)
	if err != nil {
		return 0, "", err
	}
	b := params.Mul(params, big.NewRat(int64(bits), 8))
	n := new(big.Int).Div(b.Num(), b.Denom())
	if !n.IsInt64() {
		return 0, "", fmt.Errorf("params %q are too many", r.params)
	}
	return kvcache.Bytes(n.Int64()), fmt.Sprintf("%s parameters x %d bits; no checkpoint is recorded", r.params, bits), nil
}

// parameters reads a count as it is printed: "358B", "1.60T", "135M".
func parameters(s string) (*big.Rat, error) {
	scale, ok := map[byte]int64{'M': 1e6, 'B': 1e9, 'T': 1e12}[lastByte(s)]
	x, valid := new(big.Rat).SetString(strings.TrimRight(s, "MBT"))
	if !ok || !valid || x.Sign() <= 0 {
		return nil, fmt.Errorf("no weights_gb, and params %q is not a count such as 358B or 1.60T", s)
	}
	return x.Mul(x, new(big.Rat).SetInt64(scale)), nil
}

func lastByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// devices are the machines that rows name, with the memory of one of them. The
// names are the explorer's.
var devices = []kvcache.Device{
	{Name: "DGX B300", Memory: 288 * kvcache.GB},
	{Name: "RTX PRO 6000", Memory: 96 * kvcache.GB},
	{Name: "DGX Spark", Memory: 128 * kvcache.GB, Unified: true},
	{Name: "Thor", Memory: 128 * kvcache.GB, Unified: true},
}

// device is the row's own, or the listed one of that name.
func (r row) device() (kvcache.Device, error) {
	if r.memory > 0 {
		return kvcache.Device{Name: r.hardware, Memory: r.memory, Unified: r.unified}, nil
	}
	names := make([]string, len(devices))
	for i, d := range devices {
		if d.Name == r.hardware {
			return d, nil
		}
		names[i] = d.Name
	}
	return kvcache.Device{}, fmt.Errorf("unknown hardware %q without memory_gb; known: %s", r.hardware, strings.Join(names, ", "))
}
