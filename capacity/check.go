package capacity

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// FindingKind is what an audit found.
type FindingKind int

const (
	LittleMismatch FindingKind = iota // the reported total is not what Little's law makes of the means
	NonMonotone                       // TTFT falls or TPS rises with load
	SingleLevel                       // the sweep has one level
	SlotPlateau                       // more requests only wait longer: the engine's slots are full
)

// String names the kind.
func (k FindingKind) String() string {
	return name(int(k), "Little mismatch", "non-monotone", "single level", "slot plateau")
}

// MarshalText writes the kind as its name.
func (k FindingKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Finding is one doubt about a sweep and what to do about it.
type Finding struct {
	Concurrency int
	Kind        FindingKind
	Deviation   float64 // relative, as Advice reads it; 0 for a single level
	Advice      string
}

// String gives level, kind and advice.
func (f Finding) String() string {
	return fmt.Sprintf("level %d: %v: %s", f.Concurrency, f.Kind, f.Advice)
}

// MarshalJSON writes the finding with stable names.
func (f Finding) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "concurrency", Value: f.Concurrency},
		{Name: "kind", Value: f.Kind},
		{Name: "deviation", Value: f.Deviation},
		{Name: "advice", Value: f.Advice},
	}.MarshalJSON()
}

// What is beyond chance: public sweeps that hold agree with Little's law within
// a few percent, and slots that are full keep the speed of a request to the
// percent while its wait grows.
const (
	littleTolerance  = 0.10
	plateauTolerance = 0.01
	plateauGrowth    = 1.5
	plateauSeconds   = 0.1
)

// Check audits the sweep: C x output tokens / request time against the reported
// total (Little 1961) where one is given, levels that are not monotone, slot
// plateaus, a single level. It is nil for a sweep without doubts, in the order
// of the levels otherwise.
func (s *Sweep) Check() []Finding {
	if s.check() != nil {
		return nil
	}
	var found []Finding
	if len(s.levels) == 1 {
		found = append(found, Finding{s.top(), SingleLevel, 0, "one level says nothing of load; measure at 1, 2, 4, ... up to a level that fails"})
	}
	for i, l := range s.levels {
		if f, ok := s.little(l); ok {
			found = append(found, f)
		}
		if i > 0 {
			found = append(found, s.against(s.levels[i-1], l)...)
		}
	}
	return found
}

// little compares the reported total with what C requests of the mean time make.
func (s *Sweep) little(l Level) (Finding, bool) {
	if l.OutputTPS == 0 {
		return Finding{}, false
	}
	expected := float64(l.Concurrency) * float64(s.work.OutputTokens) / s.work.responseSeconds(l)
	d := expected/l.OutputTPS - 1
	if math.Abs(d) <= littleTolerance {
		return Finding{}, false
	}
	advice := fmt.Sprintf("%d at once at the measured times make %.4g tok/s, %+.0f%% against the %.4g reported: so many were not in flight throughout; run at least ten times as many requests as the level", l.Concurrency, expected, 100*d, l.OutputTPS)
	if d < 0 {
		advice = fmt.Sprintf("%d at once at the measured times make %.4g tok/s, %+.0f%% against the %.4g reported: more were in flight, or TPS is of another kind than said", l.Concurrency, expected, 100*d, l.OutputTPS)
	}
	return Finding{l.Concurrency, LittleMismatch, d, advice}, true
}

// against compares a level with the one below.
func (s *Sweep) against(below, l Level) []Finding {
	var found []Finding
	if l.TTFTSeconds < below.TTFTSeconds {
		found = append(found, Finding{l.Concurrency, NonMonotone, l.TTFTSeconds/below.TTFTSeconds - 1, fmt.Sprintf("TTFT falls from %.4g s at %d to %.4g s; measure both again, longer", below.TTFTSeconds, below.Concurrency, l.TTFTSeconds)})
	}
	if l.TPS > below.TPS {
		found = append(found, Finding{l.Concurrency, NonMonotone, l.TPS/below.TPS - 1, fmt.Sprintf("TPS rises from %.4g at %d to %.4g; measure both again, longer", below.TPS, below.Concurrency, l.TPS)})
	}
	// Full slots hold the speed after the first token, not an end-to-end one.
	flat := math.Abs(s.work.secondsPerToken(below)/s.work.secondsPerToken(l)-1) <= plateauTolerance
	grown := l.TTFTSeconds >= plateauGrowth*below.TTFTSeconds && l.TTFTSeconds-below.TTFTSeconds >= plateauSeconds
	if flat && grown {
		found = append(found, Finding{l.Concurrency, SlotPlateau, l.TTFTSeconds/below.TTFTSeconds - 1, fmt.Sprintf("each request is as fast as at %d and only waits longer: slots are full; set Options.Slots to the engine's limit or leave the level out", below.Concurrency)})
	}
	return found
}
