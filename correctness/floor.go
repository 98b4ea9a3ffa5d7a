package correctness

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// FloorTest compares an engine's distance from the reference with the reference's
// distance from itself.
type FloorTest struct {
	Prompts       int
	MeanEngine    float64 // KL(reference||engine), mean of prompts, nats
	MeanRepeat    float64 // KL(reference||reference run again): the noise floor
	Ratio         float64 // MeanEngine/MeanRepeat; NaN when both are 0
	Diff, StdErr  float64 // of MeanEngine - MeanRepeat, paired by prompt
	Lo, Hi, Level float64 // bootstrap-t interval of Diff
	P             float64 // one-sided, of a difference this large or larger by chance
	Above         bool    // the engine is farther off than the reference from itself
	Warnings      []error
}

// NoiseFloor tests whether an engine differs from the reference by more than the
// reference differs from itself. Both maps hold mean KL by prompt: of the
// reference and the engine, and of the reference and its own repetition on the
// same tokens. Differences are paired by prompt and tested by a one-sided t test
// at the error (1-Level)/2; prompts that only one map has are ErrAlignment.
func NoiseFloor(engine, repeat map[string]float64, o *SummaryOptions) (FloorTest, error) {
	opts, err := o.resolved()
	if err != nil {
		return FloorTest{}, err
	}
	names := slices.Sorted(maps.Keys(engine))
	if err := checkPaired(names, engine, repeat); err != nil {
		return FloorTest{}, err
	}
	var diff clusters
	var sumEngine, sumRepeat exact
	for _, name := range names {
		diff.add(engine[name]-repeat[name], 1)
		sumEngine.add(engine[name])
		sumRepeat.add(repeat[name])
	}
	n := float64(len(names))
	f := FloorTest{Prompts: len(names), MeanEngine: sumEngine.Hi / n, MeanRepeat: sumRepeat.Hi / n, Level: opts.Level}
	f.Ratio = f.MeanEngine / f.MeanRepeat
	f.Diff, f.StdErr = diff.mean()
	f.Lo, f.Hi = diff.interval(&opts)
	f.P = upperTail(f.Diff, f.StdErr, n-1)
	f.Above = f.P <= (1-opts.Level)/2
	if len(names) < defaultMinPrompts {
		f.Warnings = append(f.Warnings, fmt.Errorf("%s: a test over fewer than %d is not to be trusted", count(len(names), "prompt"), defaultMinPrompts))
	}
	return f, nil
}

// upperTail is the chance of a t statistic this large. Equal differences have no
// spread: any but 0 is then beyond chance, and 0 is as likely as not.
func upperTail(diff, stdErr, df float64) float64 {
	t := pivot(diff, stdErr)
	switch {
	case df < 1:
		return math.NaN()
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(t, -1):
		return 1
	}
	return studentTail(t, df)
}

func checkPaired(names []string, engine, repeat map[string]float64) error {
	if len(names) == 0 {
		return inputError(ErrNoSupport, -1, "no prompt to compare")
	}
	for _, name := range slices.Sorted(maps.Keys(repeat)) {
		if _, ok := engine[name]; !ok {
			return &InputError{name, -1, -1, "prompt of the repetition that the engine has not", ErrAlignment}
		}
	}
	for _, name := range names {
		again, ok := repeat[name]
		if !ok {
			return &InputError{name, -1, -1, "prompt of the engine that the repetition has not", ErrAlignment}
		}
		for _, x := range [...]float64{engine[name], again} {
			if !(x >= 0) || math.IsInf(x, 1) {
				return &InputError{name, -1, -1, fmt.Sprintf("mean KL %g", x), ErrNaN}
			}
		}
	}
	return nil
}

// String is the one-line form.
func (f FloorTest) String() string {
	word := "not shown to be above"
	if f.Above {
		word = "above"
	}
	return fmt.Sprintf("%s the noise floor: mean KL %.4g against %.4g of the reference with itself (ratio %.3g, P %.3g, %s)",
		word, f.MeanEngine, f.MeanRepeat, f.Ratio, f.P, count(f.Prompts, "prompt"))
}

// MarshalJSON implements [json.Marshaler].
func (f FloorTest) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "prompts", Value: f.Prompts}, {Name: "mean_engine_nats", Value: f.MeanEngine},
		{Name: "mean_repeat_nats", Value: f.MeanRepeat}, {Name: "ratio", Value: f.Ratio}, {Name: "diff_nats", Value: f.Diff},
		{Name: "std_err_nats", Value: f.StdErr}, {Name: "lo_nats", Value: f.Lo}, {Name: "hi_nats", Value: f.Hi},
		{Name: "level", Value: f.Level}, {Name: "p", Value: f.P}, {Name: "above", Value: f.Above},
		{Name: "warnings", Value: f.Warnings}}.MarshalJSON()
}
