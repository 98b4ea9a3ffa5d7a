package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func BenchmarkMannWhitney(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name string
		n    int
		unit float64 // values are rounded to it; 0: not
	}{{"untied/50", 50, 0}, {"tied/50/few", 50, 0.05}, {"tied/50/some", 50, 0.2}, {"tied/50/many", 50, 1}, {"untied/5", 5, 0}} {
		x, y := sample(r, c.n, false), sample(r, c.n, false)
		if c.unit > 0 {
			for i := range x {
				x[i], y[i] = math.Round(x[i]/c.unit), math.Round(y[i]/c.unit)
			}
		}
		b.Run(fmt.Sprint(c.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := MannWhitney(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
