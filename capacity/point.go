package capacity

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// Point is the service at one load, from [Sweep.Closed], [Sweep.Open] or
// [Sweep.Mix]. Means over requests are exact; the distributions are the spread
// that load causes, since a sweep knows only the mean at each level, so real
// percentiles are wider.
type Point struct {
	Users        int     // 0 for open arrivals
	ThinkSeconds float64 // NaN where there is no single one
	Slots        int

	P0                float64 // share of time that nobody is served
	MeanInSystem      float64 // requests served or waiting
	MeanInService     float64
	RequestsPerSecond float64
	OutputTPS         float64 // tokens/s of all requests
	ResponseSeconds   float64 // a whole request, wait for a slot included
	QueueWaitSeconds  float64 // wait for a slot
	TTFTSeconds       float64 // wait for a slot included; NaN on a projected sweep
	TTFTRandomSeconds float64 // TTFTSeconds plus the collisions of random arrivals that a closed sweep never sees; the same without Options.PrefillSeconds
	TPOTSeconds       float64 // a token after the first
	TPS               float64 // of one request in the sweep's kind: tokens by time, the wait for a slot left out
	PQueue            float64 // share of arrivals that wait for a slot
	PFull             float64 // share of time that every slot is busy
	Load              float64 // RequestsPerSecond by the rate with every slot busy
	Multiplier        float64 // people for each request in flight: (response + think)/response; NaN for open arrivals

	time, seen *law // over time, and as newcomers find it
}

// point reads the means off a law. Response and wait are by Little's law from
// the numbers present, which are sums of positive terms; the difference of two
// times would lose a short wait behind a long request.
func (l *law) point() Point {
	p := Point{
		Slots:             l.st.slots(),
		ThinkSeconds:      math.NaN(),
		Multiplier:        math.NaN(),
		P0:                l.prob(0),
		MeanInSystem:      l.serving + l.excess,
		MeanInService:     l.serving,
		RequestsPerSecond: l.x,
		OutputTPS:         l.x * float64(l.st.work.OutputTokens),
		QueueWaitSeconds:  l.excess / l.x,
		TPOTSeconds:       l.arrivals(l.st.tpot),
		PQueue:            l.queued(),
		PFull:             l.tail + l.prob(l.st.slots()),
		Load:              l.x / l.st.topRate(),
		time:              l,
		seen:              l,
	}
	ttft := l.arrivals(l.st.ttft)
	p.ResponseSeconds = p.MeanInSystem / l.x
	p.TPS = l.st.work.tps(ttft, p.TPOTSeconds)
	p.TTFTSeconds = ttft + p.QueueWaitSeconds
	if l.st.projected {
		p.TTFTSeconds = math.NaN()
	}
	p.TTFTRandomSeconds = p.TTFTSeconds
	return p
}

// correct adds to TTFTRandomSeconds what random arrivals lose: each that finds a
// free slot waits half a step and for the prefills of others, an M/D/1 queue.
func (p *Point) correct(prefill float64) error {
	if prefill == 0 {
		return nil
	}
	rate := p.time.x
	if rate*prefill >= 1 {
		return fmt.Errorf("%w: %.4g prefills a second of %v s each", ErrUnstable, rate, prefill)
	}
	p.TTFTRandomSeconds += p.seen.collisions(rate, prefill)
	var half sum
	for n, share := range p.seen.inner {
		half.add(share * p.seen.st.tpot[n-1] / 2)
	}
	p.TTFTRandomSeconds += half.value()
	return nil
}

// collisions is the mean wait of newcomers that find a free slot for the
// prefills of others, x requests/s of s seconds each: rho s/(2(1-rho)) for each
// with rho = x s, and infinite where rho is 1 or more.
func (l *law) collisions(x, s float64) float64 {
	rho := x * s
	if rho >= 1 {
		return math.Inf(1)
	}
	return (1 - l.queued()) * rho * s / (2 * (1 - rho))
}

// Probability is the share of time that n requests are present.
func (p Point) Probability(n int) float64 { return p.time.prob(n) }

// String gives the load and what one request sees.
func (p Point) String() string {
	return fmt.Sprintf("%.4g requests/s, %.4g s to the first token, %.4g tok/s, %.4g s a request",
		p.RequestsPerSecond, p.TTFTSeconds, p.TPS, p.ResponseSeconds)
}

// MarshalJSON writes the figures with stable names; those that are unknown are
// left out.
func (p Point) MarshalJSON() ([]byte, error) { return p.object().MarshalJSON() }

// object is the body that classes and mixes add to.
func (p Point) object() jsonout.Object {
	return jsonout.Object{
		{Name: "users", Value: p.Users},
		{Name: "think_seconds", Value: p.ThinkSeconds},
		{Name: "slots", Value: p.Slots},
		{Name: "p0", Value: p.P0},
		{Name: "mean_in_system", Value: p.MeanInSystem},
		{Name: "mean_in_service", Value: p.MeanInService},
		{Name: "requests_per_second", Value: p.RequestsPerSecond},
		{Name: "output_tps", Value: p.OutputTPS},
		{Name: "response_seconds", Value: p.ResponseSeconds},
		{Name: "queue_wait_seconds", Value: p.QueueWaitSeconds},
		{Name: "ttft_seconds", Value: p.TTFTSeconds},
		{Name: "ttft_random_seconds", Value: p.TTFTRandomSeconds},
		{Name: "tpot_seconds", Value: p.TPOTSeconds},
		{Name: "tps", Value: p.TPS},
		{Name: "p_queue", Value: p.PQueue},
		{Name: "p_full", Value: p.PFull},
		{Name: "load", Value: p.Load},
		{Name: "multiplier", Value: p.Multiplier},
	}
}
