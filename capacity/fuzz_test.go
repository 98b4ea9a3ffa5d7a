package capacity_test

import (
	"encoding/json"
	"math"
	"testing"

	"example.com/servemath/capacity"
)

// Whatever the figures, the package answers with an error or with finite,
// ordered numbers that JSON can hold.
func FuzzSweep(f *testing.F) {
	f.Add(1, 0.054, 241.4, 64, 0.352, 49.7, 128, 300, 20.0, 0.01, 0)
	f.Add(8, 0.15, 60.0, 32, 0.42, 41.0, 200, 60, 0.0, 0.0, 1)
	f.Add(4, 1.15, 45.0, 8, 0.48, 33.0, 128, 1_000_000, 1e5, 5.0, 2)
	f.Add(1, 0.0, 1e9, 2, 1e9, 1e-9, 1, 1, 1e-30, 0.0, 3)
	f.Add(1, 1e9, 1e-9, 2000, 1e-9, 1e18, 2, 7, 1e-12, 1e-9, 0)
	f.Fuzz(func(t *testing.T, c1 int, ttft1, tps1 float64, c2 int, ttft2, tps2 float64, output, users int, think, prefill float64, kind int) {
		if c1 > 4096 || c2 > 4096 || users > 1_000_000 || think > 1e5 {
			t.Skip("large ones only cost time")
		}
		s, err := capacity.NewSweep(
			capacity.Workload{OutputTokens: output, TPS: capacity.TPSKind(kind & 1)},
			[]capacity.Level{
				{Concurrency: c1, TTFTSeconds: ttft1, TPS: tps1, TPSStdErr: prefill},
				{Concurrency: c2, TTFTSeconds: ttft2, TPS: tps2},
			},
		)
		if err != nil {
			return
		}
		o := &capacity.Options{Interpolation: capacity.Interpolation(kind & 3)}
		if p, err := s.Closed(users, think, o); err == nil {
			finite(t, p)
		}
		if p, err := s.Open(think, o); err == nil {
			finite(t, p)
		}
		targets := capacity.Targets{MaxTTFTSeconds: ttft1, MinTPS: tps2}
		if m, err := s.MaxC(targets); err == nil && (m.Contiguous > m.Concurrency || m.Concurrency > max(c1, c2)) {
			t.Errorf("%+v", m)
		}
		for _, u := range []capacity.Usage{capacity.Chat(), {ThinkSeconds: think}} {
			c, err := capacity.Estimate(s, targets, u, capacity.MemoryLimit{}, o)
			if err != nil {
				continue
			}
			if c.Low > c.Users || c.High < c.Users || c.Users < 0 {
				t.Errorf("%d is not in [%d, %d]", c.Users, c.Low, c.High)
			}
			if _, err := json.Marshal(c); err != nil {
				t.Error(err)
			}
		}
		for _, f := range s.Check() {
			_ = f.String()
		}
	})
}

func finite(t *testing.T, p capacity.Point) {
	t.Helper()
	for _, x := range []float64{p.P0, p.MeanInSystem, p.MeanInService, p.RequestsPerSecond, p.OutputTPS, p.ResponseSeconds, p.QueueWaitSeconds, p.TTFTSeconds, p.TPOTSeconds, p.TPS, p.PQueue, p.PFull, p.Load} {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			t.Errorf("%+v", p)
			return
		}
	}
	q, err := p.TTFTQuantile(0.95)
	if err != nil || math.IsNaN(q) || math.IsInf(q, 0) {
		t.Errorf("95th percentile %v, %v", q, err)
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
}

func FuzzParseParams(f *testing.F) {
	for _, s := range []string{"1.60T", "120B", "", "T", "..B", "9e9B", "1_0B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if x, err := capacity.ParseParams(s); err == nil && !(x > 0 && !math.IsInf(x, 0)) {
			t.Errorf("%q is %v", s, x)
		}
	})
}
