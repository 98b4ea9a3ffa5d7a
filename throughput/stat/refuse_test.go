package stat

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	good = []float64{3, 1, 2}
)

// refusals are calls that must fail, with the sentinel they must fail with.
var refusals = []struct {
	name string
	call func() error
	want error
}{
	{"Geomean of nothing", func() error { return second(Geomean(nil)) }, ErrEmpty},
	{"Geomean of zero", func() error { return second(Geomean([]float64{1, 0})) }, ErrNonPositive},
	{"Geomean of NaN", func() error { return second(Geomean([]float64{1, nan})) }, ErrNonFinite},
	{"GeomeanInterval of one", func() error { return second(GeomeanInterval([]float64{1}, 0.95)) }, ErrTooFew},
	{"GeomeanInterval at level 0", func() error { return second(GeomeanInterval(good, 0)) }, ErrParameter},
	{"OneSample of one", func() error { return second(OneSample([]float64{1})) }, ErrTooFew},
	{"OneSample of an infinity", func() error { return second(OneSample([]float64{1, -inf})) }, ErrNonFinite},
	{"OneSample past the limit", func() error { return second(OneSample([]float64{1, 1e200})) }, ErrNonFinite},
	{"level 1", func() error { return second(TestResult{}.Interval(1)) }, ErrParameter},
	{"level NaN", func() error { return second(TestResult{}.Interval(nan)) }, ErrParameter},
	{"Interval without degrees of freedom", func() error { return second(TestResult{}.Interval(0.95)) }, ErrParameter},
	{"Geomean of next to nothing", func() error { return second(Geomean([]float64{1e-200, 1})) }, ErrNonPositive},
	{"Quantile of nothing", func() error { return second(Quantile(nil, 0.5, Type7)) }, ErrEmpty},
	{"Quantile of NaN", func() error { return second(Quantile([]float64{nan}, 0.5, Type7)) }, ErrNonFinite},
	{"Quantile beyond 1", func() error { return second(Quantile(good, 1.1, Type7)) }, ErrParameter},
	{"Quantile at NaN", func() error { return second(Quantile(good, nan, Type7)) }, ErrParameter},
	{"Quantile of no type", func() error { return second(Quantile(good, 0.5, 99)) }, ErrParameter},
	{"MedianInterval of 5", func() error { return second(MedianInterval(counting(5), 0.95)) }, ErrTooFew},
	{"QuantileInterval at 0", func() error { return second(QuantileInterval(good, 0, 0.95)) }, ErrParameter},
	{"QuantileInterval at level 1", func() error { return second(QuantileInterval(good, 0.5, 1)) }, ErrParameter},
	{"MinForQuantile at 1", func() error { return second(MinForQuantile(1, 0.95)) }, ErrParameter},
	{"MinForQuantile at level NaN", func() error { return second(MinForQuantile(0.5, nan)) }, ErrParameter},
	{"Kendall of different lengths", func() error { return second(Kendall(good, good[:2])) }, ErrUnpaired},
	{"Kendall of one", func() error { return second(Kendall(good[:1], good[:1])) }, ErrTooFew},
	{"Kendall of NaN", func() error { return second(Kendall(good, []float64{1, 2, nan})) }, ErrNonFinite},
	{"MannKendall of one", func() error { return second(MannKendall(good[:1])) }, ErrTooFew},
	{"TheilSen of nothing", func() error { _, _, err := TheilSen(nil); return err }, ErrEmpty},
	{"TheilSen of too many", func() error { _, _, err := TheilSen(counting(10_001)); return err }, ErrParameter},
	{"Autocorrelation of a constant", func() error { return second(Autocorrelation([]float64{2, 2, 2}, 1)) }, ErrConstant},
	{"Autocorrelation past the end", func() error { return second(Autocorrelation(good, 3)) }, ErrParameter},
	{"Autocorrelation at a negative lag", func() error { return second(Autocorrelation(good, -1)) }, ErrParameter},
	{"LongRunStdErr past the end", func() error { return second(LongRunStdErr(good, 3)) }, ErrParameter},
	{"EffectiveSize of a constant", func() error { return second(EffectiveSize([]float64{2, 2, 2})) }, ErrConstant},
	{"BatchMeans in one", func() error { return second(BatchMeans(good, 1, 0.95)) }, ErrParameter},
	{"BatchMeans in more than there are", func() error { return second(BatchMeans(good, 4, 0.95)) }, ErrTooFew},
	{"BatchMeans at level 2", func() error { return second(BatchMeans(good, 2, 2)) }, ErrParameter},
	{"LjungBox of no lag", func() error { return second(LjungBox(good, 0)) }, ErrParameter},
	{"LjungBox of a constant", func() error { return second(LjungBox([]float64{2, 2, 2}, 1)) }, ErrConstant},
	{"Welch of one", func() error { return second(Welch(good, good[:1])) }, ErrTooFew},
	{"Welch of NaN", func() error { return second(Welch([]float64{1, nan}, good)) }, ErrNonFinite},
	{"LogRatio of zero", func() error { return second(LogRatio(good, []float64{1, 0})) }, ErrNonPositive},
	{"LogRatio of nothing", func() error { return second(LogRatio(nil, good)) }, ErrEmpty},
	{"Ratio at level 0", func() error { return second(TestResult{}.Ratio(0)) }, ErrParameter},
	{"Fieller about zero", func() error { return second(Fieller([]float64{-1, 1}, good, 0.95)) }, ErrParameter},
	{"Fieller at level 1", func() error { return second(Fieller(good, good, 1)) }, ErrParameter},
	{"Fieller of one", func() error { return second(Fieller(good[:1], good, 0.95)) }, ErrTooFew},
	{"TOST without margin", func() error { return second(TOST(good, good, 0)) }, ErrParameter},
	{"TOST of zero", func() error { return second(TOST(good, []float64{0, 1}, 0.1)) }, ErrNonPositive},
	{"MannWhitney of nothing", func() error { return second(MannWhitney(good, nil)) }, ErrEmpty},
	{"MannWhitney of NaN", func() error { return second(MannWhitney([]float64{nan}, good)) }, ErrNonFinite},
	{"HodgesLehmann of too few", func() error { return second(HodgesLehmann(good, good, 0.95)) }, ErrTooFew},
	{"HodgesLehmann of NaN", func() error { return second(HodgesLehmann(good, []float64{nan}, 0.95)) }, ErrNonFinite},
	{"HodgesLehmann of nothing", func() error { return second(HodgesLehmann(nil, good, 0.95)) }, ErrEmpty},
	{"HodgesLehmann at level 1", func() error { return second(HodgesLehmann(good, good, 1)) }, ErrParameter},
	{"HodgesLehmann of too many", func() error { return second(HodgesLehmann(counting(4000), counting(4000), 0.95)) }, ErrParameter},
	{"Pseudomedian of too few", func() error { return second(Pseudomedian(good, 0.95)) }, ErrTooFew},
	{"Pseudomedian of too many", func() error { return second(Pseudomedian(counting(4001), 0.95)) }, ErrParameter},
	{"Pseudomedian of nothing", func() error { return second(Pseudomedian(nil, 0.95)) }, ErrEmpty},
	{"Pseudomedian at level NaN", func() error { return second(Pseudomedian(good, nan)) }, ErrParameter},
	{"SignedRank of nothing", func() error { return second(SignedRank(nil)) }, ErrEmpty},
	{"SignedRank of zeros", func() error { return second(SignedRank([]float64{0, 0})) }, ErrConstant},
	{"SignTest of nothing", func() error { return second(SignTest(0, 0)) }, ErrEmpty},
	{"SignTest of less", func() error { return second(SignTest(-1, 2)) }, ErrParameter},
	{"Power of one", func() error { return second(Power(1, 5, 1, 0.05)) }, ErrTooFew},
	{"Power at alpha 0", func() error { return second(Power(5, 5, 1, 0)) }, ErrParameter},
	{"Power of NaN", func() error { return second(Power(5, 5, nan, 0.05)) }, ErrNonFinite},
	{"MinDetectable of one", func() error { return second(MinDetectable(5, 1, 0.05, 0.8)) }, ErrTooFew},
	{"MinDetectable with power 1", func() error { return second(MinDetectable(5, 5, 0.05, 1)) }, ErrParameter},
	{"Detectable without degrees of freedom", func() error { return second(TestResult{}.Detectable(0.05, 0.8)) }, ErrParameter},
	{"Detectable at alpha NaN", func() error { return second(TestResult{DF: 5}.Detectable(nan, 0.8)) }, ErrParameter},
	{"ChangePoints of nothing", func() error { return second(ChangePoints(nil, nil)) }, ErrEmpty},
	{"ChangePoints of NaN", func() error { return second(ChangePoints([]float64{1, nan}, nil)) }, ErrNonFinite},
	{"ChangePoints by no method", func() error { return second(ChangePoints(good, &ChangeOptions{Method: 9})) }, ErrParameter},
	{"ChangePoints at Weak 2", func() error { return second(ChangePoints(good, &ChangeOptions{Weak: 2})) }, ErrParameter},
	{"ChangePoints of single points", func() error { return second(ChangePoints(good, &ChangeOptions{MinSegment: 1})) }, ErrParameter},
	{"ChangePoints at a negative penalty", func() error { return second(ChangePoints(good, &ChangeOptions{Penalty: -1})) }, ErrParameter},
}

func second[T any](_ T, err error) error { return err }

func TestRefusals(t *testing.T) {
	for _, r := range refusals {
		assert.ErrorIs(t, r.call(), r.want, r.name)
	}
}

func TestInputErrorNamesTheOffender(t *testing.T) {
	_, err := Kendall(good, []float64{1, 2, inf})
	e, ok := errors.AsType[*InputError](err)
	require.True(t, ok)
	assert.Equal(t, InputError{"y", 2, inf, ErrNonFinite}, *e)
	assert.Equal(t, "throughput/stat: not a finite number: y[2] = +Inf", err.Error())
}

// A P that no test gives is as unknown as NaN.
func TestAdjustedUnknown(t *testing.T) {
	for name, f := range map[string]func([]float64) []float64{"Holm": Holm, "BenjaminiHochberg": BenjaminiHochberg, "Sidak": Sidak} {
		known := f([]float64{0.01, 0.04, 0.03})
		got := f([]float64{0.01, nan, 0.04, -0.5, 1.5, 0.03})
		for _, i := range []int{1, 3, 4} {
			assert.True(t, math.IsNaN(got[i]), "%s[%d]", name, i)
		}
		assert.Equal(t, known, []float64{got[0], got[2], got[5]}, name)
	}
}
