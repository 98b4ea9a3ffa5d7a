package bt

import (
	"errors"
	"fmt"
	"strings"

	"example.com/servemath/internal/jsonout"
)

// TieStep is a ranking at one tie threshold.
type TieStep struct {
	TieWithin float64
	Ties      float64     // comparisons that tie
	Standings []Standing  // nil when there is no fit
	Swaps     [][2]string // pairs whose first was ahead at the last threshold with a fit and is behind now
	Err       error       // why there is no fit
}

// TieSweep ranks the same contests at each threshold below which scores tie
// (relative to the larger one), in the order given: a ranking that turns within
// the noise of the measurements is none. For metrics where lower is better pass
// the reciprocals, which tie and order alike. A threshold without a finite fit
// is reported in its step; bad input and bad options are errors.
func TieSweep(contests []Contest, thresholds []float64, o *Options) ([]TieStep, error) {
	if _, err := o.filled(); err != nil {
		return nil, err
	}
	var out []TieStep
	var last *Model
	for _, within := range thresholds {
		step, m, err := tieStep(contests, within, o)
		if err != nil {
			return nil, err
		}
		if m != nil && last != nil {
			step.Swaps = last.swaps(m)
		}
		if m != nil {
			last = m
		}
		out = append(out, step)
	}
	return out, nil
}

func tieStep(contests []Contest, within float64, o *Options) (TieStep, *Model, error) {
	d, step := new(Data), TieStep{TieWithin: within}
	if !(within >= 0 && within < 1) {
		return step, nil, fmt.Errorf("%w: tie threshold %v is outside [0, 1)", ErrOptions, within)
	}
	for _, c := range contests {
		d.AddContest(c, &ContestOptions{TieWithin: within})
	}
	for _, c := range d.cells {
		step.Ties += c.tie
	}
	m, err := Fit(d, o)
	if err != nil {
		step.Err = err
		return step, nil, fatal(err)
	}
	step.Standings, err = m.Ranking(nil)
	return step, m, err
}

// fatal keeps the errors that another threshold would not mend.
func fatal(err error) error {
	if _, ok := errors.AsType[*DisconnectedError](err); ok {
		return nil // dropped ties may be all that joins two groups
	}
	if _, ok := errors.AsType[*SeparableError](err); ok {
		return nil
	}
	if _, ok := errors.AsType[*NotConvergedError](err); ok {
		return nil
	}
	return err
}

// String gives the threshold, the ties and the order.
func (s TieStep) String() string {
	head := fmt.Sprintf("within %.6g%%: %g ties", 100*s.TieWithin, s.Ties)
	if s.Err != nil {
		return head + "; " + s.Err.Error()
	}
	var names []string
	for _, st := range s.Standings {
		names = append(names, fmt.Sprintf("%s %.3f", st.Item, st.Strength))
	}
	return head + "; " + strings.Join(names, ", ")
}

// MarshalJSON writes the error as text.
func (s TieStep) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "tie_within", Value: s.TieWithin}, {Name: "ties", Value: s.Ties},
		{Name: "standings", Value: s.Standings}, {Name: "swaps", Value: s.Swaps}, {Name: "error", Value: s.Err},
	}.MarshalJSON()
}
