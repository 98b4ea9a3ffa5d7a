package correctness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

// rowsSource yields rows from memory, and then an error.
type rowsSource struct {
	rows []Row
	end  error
}

func (s *rowsSource) Next(row *Row) error {
	if len(s.rows) == 0 {
		if s.end != nil {
			return s.end
		}
		return io.EOF
	}
	r := s.rows[0]
	s.rows = s.rows[1:]
	values := append(row.Values[:0], r.Values...)
	*row = r
	row.Values = values
	return nil
}

// pairOfRows makes two sides of some prompts, as logits.
func pairOfRows(prompts, positions, vocab int) (ref, got []Row) {
	r := rand.New(rand.NewPCG(51, 52))
	for g := range prompts {
		for i := range positions {
			a, b := randomPair(r, vocab, 0.2, 3)
			at := Row{Prompt: fmt.Sprint("p", g), Index: i, DataToken: r.IntN(vocab)}
			x, y := at, at
			x.Values, y.Values = narrow(a), narrow(b)
			ref, got = append(ref, x), append(got, y)
		}
	}
	return ref, got
}

func TestCompareSourcesEqualsALoop(t *testing.T) {
	ref, got := pairOfRows(12, 7, 50)
	want := &Accumulator{}
	for i, r := range ref {
		pos, err := Compare(r.Values, got[i].Values, &Options{DataToken: &r.DataToken})
		require.NoError(t, err)
		require.NoError(t, want.Add(r.Prompt, r.Index, pos))
	}
	for _, procs := range []int{1, 2, 5} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			a, err := CompareSources(&rowsSource{rows: ref}, &rowsSource{rows: got}, nil)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(binaryOf(t, want), binaryOf(t, a)), "GOMAXPROCS %d", procs)
		}()
	}
}

func TestCompareSourcesOfMixedKinds(t *testing.T) {
	ref, got := pairOfRows(1, 1, 30)
	want, err := Compare(ref[0].Values, got[0].Values, nil)
	require.NoError(t, err)
	wide := func(row []float32) []float64 {
		var out []float64
		for _, x := range row {
			out = append(out, float64(x))
		}
		return normalise(out)
	}
	lp, lq := wide(ref[0].Values), wide(got[0].Values)
	forms := func(r Row, lp []float64) []Row {
		logs, probs, list := r, r, r
		logs.Kind, logs.Values = LogProbs, narrow(lp)
		probs.Kind, probs.Values = Probs, nil
		for _, x := range lp {
			probs.Values = append(probs.Values, float32(math.Exp(x)))
		}
		top := topOf(lp, len(lp))
		list.Values, list.TopK = nil, &top
		return []Row{r, logs, probs, list}
	}
	for _, r := range forms(ref[0], lp) {
		for _, g := range forms(got[0], lq) {
			a, err := CompareSources(&rowsSource{rows: []Row{r}}, &rowsSource{rows: []Row{g}}, nil)
			require.NoError(t, err)
			s := summarize(t, a)
			testkit.Near(t, want.KL, s.MeanKL, 2e-6, "stored as float32")
			testkit.Near(t, want.KL, s.MeanUpperKL, 2e-6, "complete lists leave nothing open")
			assert.Equal(t, 1, s.DataTokens)
		}
	}
}

func TestCompareSourcesOfLists(t *testing.T) {
	ref, got := pairOfRows(10, 3, 40)
	for _, side := range [][]Row{ref, got} {
		for i := range side {
			lp := make([]float64, 0, 40)
			for _, x := range side[i].Values {
				lp = append(lp, float64(x))
			}
			top := topOf(normalise(lp), 10)
			side[i].TopK, side[i].Values = &top, nil
		}
	}
	a, err := CompareSources(&rowsSource{rows: ref}, &rowsSource{rows: got}, &Options{TopK: TopKOptions{Floor: 1e-9}})
	require.NoError(t, err)
	s := summarize(t, a)
	assert.Equal(t, 30, s.Bounded)
	assert.Less(t, s.MeanKL, s.MeanUpperKL)
	assert.Less(t, s.MeanUpperKL, inf)
	a, err = CompareSources(&rowsSource{rows: ref}, &rowsSource{rows: got}, nil)
	require.NoError(t, err)
	assert.Equal(t, inf, summarize(t, a).Hi, "without a floor there is no upper bound")
}

func TestCompareSourcesNamesThePlace(t *testing.T) {
	ioErr := errors.New("disk on fire")
	for name, c := range map[string]struct {
		spoil           func(ref, got *rowsSource)
		err             error
		prompt          string
		position, index int
	}{
		"reference ends":  {func(r, g *rowsSource) { r.rows = r.rows[:5] }, ErrAlignment, "p1", 1, -1},
		"engine ends":     {func(r, g *rowsSource) { g.rows = g.rows[:5] }, ErrAlignment, "p1", 1, -1},
		"another prompt":  {func(r, g *rowsSource) { g.rows[6].Prompt = "x" }, ErrAlignment, "p1", 2, -1},
		"shifted":         {func(r, g *rowsSource) { g.rows = g.rows[1:] }, ErrAlignment, "p0", 0, -1},
		"another token":   {func(r, g *rowsSource) { g.rows[2].DataToken++ }, ErrTokenMismatch, "p0", 2, -1},
		"token too large": {func(r, g *rowsSource) { r.rows[2].DataToken, g.rows[2].DataToken = 99, 99 }, ErrVocab, "p0", 2, 99},
		"NaN":             {func(r, g *rowsSource) { g.rows[9].Values[3] = float32(math.NaN()) }, ErrNaN, "p2", 1, 3},
		"the first of two": {func(r, g *rowsSource) {
			g.rows[9].Values[3] = float32(math.NaN())
			r.rows[7].Values[1] = float32(inf)
		}, ErrPosInf, "p1", 3, 1},
		"padded":  {func(r, g *rowsSource) { g.rows[1].Values = append(g.rows[1].Values, 0) }, ErrVocab, "p0", 1, -1},
		"kind":    {func(r, g *rowsSource) { g.rows[1].Kind = Probs }, ErrNegativeProb, "p0", 1, 2},
		"no kind": {func(r, g *rowsSource) { g.rows[1].Kind = Probs + 1 }, ErrFormat, "p0", 1, -1},
		"list's kind": {func(r, g *rowsSource) {
			r.rows[1].TopK = &TopK{IDs: []int32{7}, LogProbs: []float64{-1}}
			g.rows[1].Kind = -1
		}, ErrFormat, "p0", 1, -1},
		"empty row":  {func(r, g *rowsSource) { r.rows[0].Values, g.rows[0].Values = nil, nil }, ErrNoSupport, "p0", 0, -1},
		"twice":      {func(r, g *rowsSource) { r.rows[3], g.rows[3] = r.rows[2], g.rows[2] }, ErrAlignment, "p0", 2, -1},
		"unreadable": {func(r, g *rowsSource) { g.rows, g.end = g.rows[:3], ioErr }, ioErr, "", 0, 0},
		"other list": {func(r, g *rowsSource) { g.rows[4].TopK = &TopK{IDs: []int32{70}, LogProbs: []float64{-1}} }, ErrVocab, "p1", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, g := pairOfRows(5, 4, 12)
			for i := range g { // so that the first negative entry is known
				g[i].Values[0], g[i].Values[1], g[i].Values[2] = 0.1, 0.2, -1
			}
			ref, got := &rowsSource{rows: r}, &rowsSource{rows: g}
			c.spoil(ref, got)
			r, g = slices.Clone(ref.rows), slices.Clone(got.rows)
			for _, procs := range []int{1, 3} {
				func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					ref.rows, got.rows = slices.Clone(r), slices.Clone(g)
					a, err := CompareSources(ref, got, nil)
					require.ErrorIs(t, err, c.err)
					assert.Nil(t, a)
					if in, ok := errors.AsType[*InputError](err); ok {
						assert.Equal(t, [3]any{c.prompt, c.position, c.index}, [3]any{in.Prompt, in.Position, in.Index}, "%v", err)
					}
				}()
			}
		})
	}
	_, err := CompareSources(&rowsSource{}, &rowsSource{}, &Options{VocabSize: -1})
	assert.ErrorIs(t, err, ErrOptions)
	a, err := CompareSources(&rowsSource{}, &rowsSource{}, nil)
	require.NoError(t, err)
	_, err = a.Summary(nil)
	assert.ErrorIs(t, err, ErrNoSupport, "two empty sources")
	_, err = CompareSources(nil, &rowsSource{}, nil)
	assert.ErrorIs(t, err, ErrNoSupport, "no reference")
	_, err = CompareSources(&rowsSource{}, nil, nil)
	assert.ErrorIs(t, err, ErrNoSupport, "no engine")
}

// valuesOnly is a source that says nothing of the text.
type valuesOnly struct{ left int }

func (s *valuesOnly) Next(row *Row) error {
	if s.left--; s.left < 0 {
		return io.EOF
	}
	row.Prompt, row.Index, row.Values = "p", s.left, append(row.Values[:0], 1, 2, 3)
	return nil
}

func TestTheDataTokenIsUnknownUntilItIsSet(t *testing.T) {
	a, err := CompareSources(&valuesOnly{20}, &valuesOnly{20}, nil)
	require.NoError(t, err)
	s := summarize(t, a)
	assert.Equal(t, 20, s.N)
	assert.Zero(t, s.DataTokens)
	assert.True(t, math.IsNaN(s.LogPPLRatio))
}
