package capacity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The published table's own roundings of measured values.
func TestPrintAsPublished(t *testing.T) {
	for x, want := range map[float64]string{55.65: "55.6", 25.45: "25.4", 17.05: "17", 74.85: "74.8", 18.45: "18.4", 30.6: "30.6", 20: "20"} {
		assert.Equal(t, want, printTPS(x))
	}
	for seconds, want := range map[float64]string{0.0665: "67", 0.22: "220", 1.2345: "1,235", 0: "0"} {
		assert.Equal(t, want, printMS(seconds))
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 65_536: "65,536", 1_000_000_000: "1,000,000,000"} {
		assert.Equal(t, want, group(n))
	}
}
