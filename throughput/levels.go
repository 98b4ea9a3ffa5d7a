package throughput

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput/stat"
)

// Level is one concurrency of a sweep as the plain numbers that package capacity
// takes.
type Level struct {
	Concurrency           int
	TTFTSeconds, TPS      float64 // means over requests
	TTFTStdErr, TPSStdErr float64 // 0: unknown
	OutputTPS             float64 // of all requests together; 0: unknown
	Kind                  Metric  // what TPS is: UserRateDecode or UserRateE2E
	Runs                  int     // averaged
	Warnings              []error
}

// Levels turns the runs of one configuration into a sweep, in order of
// concurrency. TPS is 1 over the mean TPOT, or failing that over the mean time
// per token with the first one, and Kind says which; all levels have the same.
// Runs of one concurrency are averaged, and their scatter gives the standard
// errors; a single run's come from its own deviation and count.
//
// The runs must be of one engine, version, machine, model, quantization, setup and
// workload asked: [ErrIncomparable] names what differs. A run without a known
// concurrency is [ErrNoConcurrency], one whose requests all failed
// [ErrAllFailed], a figure that is no positive number [ErrNonFinite] or
// [ErrNonPositive].
func Levels(runs []Run) ([]Level, error) {
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w: no runs", ErrEmpty)
	}
	out, err := levels(runs, UserRateDecode)
	if errors.Is(err, ErrEmpty) {
		if whole, errWhole := levels(runs, UserRateE2E); errWhole == nil {
			return whole, nil
		}
	}
	return out, err
}

func levels(runs []Run, kind Metric) ([]Level, error) {
	by := map[int][]Level{}
	var ttft Value
	for i, r := range runs {
		if err := sameConfiguration(runs[0], r); err != nil {
			return nil, err
		}
		l, v, err := r.level(kind)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			ttft = v
		}
		if err := Comparable(ttft, v); err != nil {
			return nil, fmt.Errorf("%s against %s: %w", runs[0].name(), r.name(), err)
		}
		by[l.Concurrency] = append(by[l.Concurrency], l)
	}
	var out []Level
	for _, same := range by {
		out = append(out, average(same))
	}
	slices.SortFunc(out, func(a, b Level) int { return cmp.Compare(a.Concurrency, b.Concurrency) })
	return out, nil
}

// sameConfiguration refuses runs that no sweep of one server can hold.
func sameConfiguration(a, b Run) error {
	for _, f := range []struct{ name, a, b string }{
		{"platform", a.Key.Platform, b.Key.Platform}, {"machine", a.Key.Machine, b.Key.Machine},
		{"engine", a.Key.Engine, b.Key.Engine}, {"version", a.Key.Version, b.Key.Version},
		{"model", a.Key.Model, b.Key.Model}, {"quantization", a.Key.Quantization, b.Key.Quantization},
		{"setup", a.Key.Setup, b.Key.Setup}, {"workload", a.Workload.Asked(), b.Workload.Asked()},
		{"request rate", fmt.Sprint(a.Load.RequestRate), fmt.Sprint(b.Load.RequestRate)},
	} {
		if f.a != f.b {
			return fmt.Errorf("%s against %s: %w", a.name(), b.name(), &DefinitionError{f.name, f.a, f.b})
		}
	}
	return nil
}

// level reads one run; the value is its TTFT.
func (r Run) level(kind Metric) (Level, Value, error) {
	if r.Load.Concurrency <= 0 {
		return Level{}, Value{}, fmt.Errorf("%w: %s", ErrNoConcurrency, r.name())
	}
	ttft, err := r.figure(TTFT, Mean)
	if err != nil {
		return Level{}, Value{}, err
	}
	l := Level{Concurrency: r.Load.Concurrency, TTFTSeconds: ttft.Value, TTFTStdErr: r.stdErr(ttft), Kind: kind, Runs: 1}
	time, err := r.timePerToken(kind)
	if err != nil {
		return Level{}, Value{}, err
	}
	l.TPS, l.Warnings = 1/time.Value, time.Warnings
	l.TPSStdErr = r.stdErr(time) / (time.Value * time.Value) // delta method
	if rate, ok := r.Get(OutputRate, Total); ok && rate.Value != 0 {
		l.OutputTPS, err = rate.Value, r.usable(rate)
	}
	return l, ttft, err
}

// perToken lists the figures that give a mean time per token, over the tokens
// after the first or over all, every request counting alike.
var perToken = map[Metric][]Value{
	UserRateDecode: {
		{Metric: TPOT, Def: Definition{Weight: PerRequest}},
		{Metric: ITL, Def: Definition{Weight: PerRequest, Gap: RequestGap}},
	},
	UserRateE2E: {
		{Metric: NTPOT, Def: Definition{Weight: PerRequest}},
		{Metric: TPOT, Def: Definition{Weight: PerRequest, IncludesFirst: true}},
	},
}

// timePerToken returns the mean that a kind of speed is the reciprocal of: a
// figure of the run, converted if it must be, or from the means of whole requests.
func (r Run) timePerToken(kind Metric) (Value, error) {
	for _, want := range perToken[kind] {
		v, ok := r.Get(want.Metric, Mean)
		if !ok || v.Value == 0 { // no request had a second token
			continue
		}
		if err := r.usable(v); err != nil {
			return Value{}, err
		}
		v.N = cmp.Or(v.N, int(r.Workload.Completed))
		if got, err := Convert(v, want.Def, r); err == nil {
			return got, nil
		}
	}
	want := perToken[kind][1]
	stand := Value{Metric: want.Metric, Stat: Mean, SD: math.NaN()}
	got, err := Convert(stand, want.Def, r)
	if err != nil {
		return Value{}, fmt.Errorf("%w: %s has no mean time per token: %w", ErrEmpty, r.name(), err)
	}
	return got, nil
}

// stdErr is the standard error of a mean over requests, 0 where unknown. A figure
// that does not say how many requests it is over is taken to be over all.
func (r Run) stdErr(v Value) float64 {
	v.N = cmp.Or(v.N, int(r.Workload.Completed))
	if sd := convertSD(v, Definition{}); sd >= 0 && v.N > 1 {
		return sd / math.Sqrt(float64(v.N))
	}
	return 0
}

// average merges runs of one concurrency.
func average(same []Level) Level {
	out := same[0]
	if len(same) == 1 {
		return out
	}
	var ttft, tps, rates []float64
	out.Warnings = nil
	for _, l := range same {
		ttft, tps = append(ttft, l.TTFTSeconds), append(tps, l.TPS)
		out.Warnings = append(out.Warnings, l.Warnings...)
		if l.OutputTPS > 0 {
			rates = append(rates, l.OutputTPS)
		}
	}
	out.Runs = len(same)
	out.TTFTSeconds, out.TTFTStdErr = meanAndStdErr(ttft)
	out.TPS, out.TPSStdErr = meanAndStdErr(tps)
	out.OutputTPS, _ = meanAndStdErr(rates)
	return out
}

// meanAndStdErr of figures of separate runs; 0 of none, and 0 for the error of
// one.
func meanAndStdErr(xs []float64) (mean, stdErr float64) {
	if t, err := stat.OneSample(xs); err == nil {
		return t.Diff, t.StdErr
	}
	return sum(xs) / math.Max(1, float64(len(xs))), 0
}

// String gives one line.
func (l Level) String() string {
	return fmt.Sprintf("C=%d: TTFT %.3g s, %.4g tok/s a user, %.5g tok/s in all", l.Concurrency, l.TTFTSeconds, l.TPS, l.OutputTPS)
}

// MarshalJSON names the figures with their units and leaves out what is unknown.
func (l Level) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "concurrency", Value: l.Concurrency}, {Name: "ttft_seconds", Value: l.TTFTSeconds}, {Name: "tps", Value: l.TPS},
		{Name: "ttft_std_err_seconds", Value: known(l.TTFTStdErr)}, {Name: "tps_std_err", Value: known(l.TPSStdErr)},
		{Name: "output_tps", Value: known(l.OutputTPS)}, {Name: "tps_kind", Value: l.Kind}, {Name: "runs", Value: l.Runs},
		{Name: "warnings", Value: l.Warnings},
	}.MarshalJSON()
}
