package correctnesstest

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/servemath/correctness"
)

// recorder is a T that notes what it is told.
type recorder struct{ logs, fatals []string }

func (r *recorder) Helper()                   {}
func (r *recorder) Logf(f string, a ...any)   { r.logs = append(r.logs, fmt.Sprintf(f, a...)) }
func (r *recorder) Fatalf(f string, a ...any) { r.fatals = append(r.fatals, fmt.Sprintf(f, a...)) }

// rows is a source of some prompts of 4 positions, whose logits are moved by skew.
type rows struct {
	prompts, at int
	skew        float32
	err         error
}

func (s *rows) Next(row *correctness.Row) error {
	if s.at == 4*s.prompts {
		return io.EOF
	}
	if s.err != nil && s.at == 6 {
		return s.err
	}
	row.Prompt, row.Index, row.DataToken = fmt.Sprint("prompt ", s.at/4), s.at%4, 1
	x := float32(s.at%5) / 4
	row.Values = append(row.Values[:0], 2, 1+x+s.skew*(1+x), 0.5, -1)
	s.at++
	return nil
}

func run(prompts int, skew float32, c correctness.Criterion, o *Options) *recorder {
	r := &recorder{}
	RequireWith(r, &rows{prompts: prompts}, &rows{prompts: prompts, skew: skew}, c, o)
	return r
}

func TestRequire(t *testing.T) {
	limit := correctness.Criterion{MaxMeanKL: 0.01}

	pass := run(20, 0.01, limit, nil)
	assert.Empty(t, pass.fatals)
	assert.Empty(t, pass.logs)

	fail := run(20, 0.8, limit, nil)
	if assert.Len(t, fail.fatals, 1) {
		text := fail.fatals[0]
		for _, want := range []string{"fail: mean KL is at least", "top-1 agreement", "80 in 20 prompts", "worst positions", "prompt 1 "} {
			assert.Contains(t, text, want)
		}
		assert.Equal(t, 10, strings.Count(text[strings.Index(text, "worst positions"):], "prompt ")-1, "ten positions below the head")
	}

	few := run(3, 0.01, limit, nil)
	if assert.Len(t, few.fatals, 1, "inconclusive is no pass") {
		assert.Contains(t, few.fatals[0], "inconclusive: too few to judge by: 3 prompts")
	}
	allowed := run(3, 0.01, limit, &Options{AllowInconclusive: true, Worst: 2})
	assert.Empty(t, allowed.fatals)
	assert.Len(t, allowed.logs, 1)
	assert.Len(t, run(20, 0.8, limit, &Options{AllowInconclusive: true}).fatals, 1, "a failure is not allowed with it")
}

func TestRequireReportsWhatCannotBeCompared(t *testing.T) {
	r := &recorder{}
	Require(r, &rows{prompts: 20}, &rows{prompts: 20, err: errors.New("disk on fire")}, correctness.Criterion{MaxMeanKL: 1})
	if assert.Len(t, r.fatals, 1) {
		assert.Contains(t, r.fatals[0], "cannot compare: engine: disk on fire")
	}
	r = &recorder{}
	Require(r, &rows{}, &rows{}, correctness.Criterion{MaxMeanKL: 1})
	if assert.Len(t, r.fatals, 1) {
		assert.Contains(t, r.fatals[0], "cannot sum up")
	}
	r = run(20, 0, correctness.Criterion{MaxMeanKL: 1}, &Options{Summary: &correctness.SummaryOptions{Level: 3}})
	assert.Contains(t, r.fatals[0], "option out of range")
}

func TestClip(t *testing.T) {
	assert.Equal(t, "short", clip("short"))
	assert.Equal(t, strings.Repeat("ä", 19)+"…", clip(strings.Repeat("ä", 30)))
}

// In a test the first argument is the *testing.T itself.
func ExampleRequire() {
	t := &recorder{}
	reference := &rows{prompts: 20}
	engine := &rows{prompts: 20, skew: 0.01}
	Require(t, reference, engine, correctness.Criterion{MaxMeanKL: 0.01})
	fmt.Println("failures:", len(t.fatals))
	// Output: failures: 0
}

func ExampleRequireWith() {
	t := &recorder{}
	RequireWith(t, &rows{prompts: 3}, &rows{prompts: 3, skew: 0.01}, correctness.Criterion{MaxMeanKL: 0.01},
		&Options{AllowInconclusive: true})
	first, _, _ := strings.Cut(t.logs[0], "\n")
	fmt.Println(first)
	// Output: inconclusive: too few to judge by: 3 prompts, of at least 10 that are needed
}

var _ T = (*testing.T)(nil)
