package main

import (
	"fmt"
	"strings"

	"example.com/servemath/kvcache"
)

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
