package bt

import (
	"fmt"
	"math"
)

// Options steers [Fit]. The zero value, like nil, counts ties as half wins and
// maximises the likelihood to a tolerance of 1e-9.
type Options struct {
	Ties          TieModel
	Prior         Prior   // nil: none
	OrderEffect   bool    // fit an advantage of the item placed first
	Tolerance     float64 // of [Model.MaxScore]; 0 means 1e-9
	MaxIterations int     // Newton steps; 0 means 100
	Start         *Model  // where to start; nil: from the items' odds
}

// filled returns the options with their defaults.
func (o *Options) filled() (Options, error) {
	out := Options{}
	if o != nil {
		out = *o
	}
	if out.Tolerance == 0 {
		out.Tolerance = 1e-9
	}
	if out.MaxIterations == 0 {
		out.MaxIterations = 100
	}
	return out, out.check()
}

func (o Options) check() error {
	switch {
	case !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 1):
		return fmt.Errorf("%w: tolerance %v", ErrOptions, o.Tolerance)
	case o.MaxIterations < 0:
		return fmt.Errorf("%w: %d iterations", ErrOptions, o.MaxIterations)
	case o.Ties < HalfWin || o.Ties > DropTies:
		return fmt.Errorf("%w: tie model %d", ErrOptions, int(o.Ties))
	}
	switch prior := o.Prior.(type) {
	case nil:
		return nil
	case Jeffreys:
		if o.Ties.estimated() {
			return fmt.Errorf("%w: a Jeffreys prior with a fitted tie parameter", ErrUnsupported)
		}
		return nil
	case Gaussian, VirtualPlayer, PseudoWins:
		return prior.check()
	}
	return fmt.Errorf("%w: prior %T is not given by value", ErrOptions, o.Prior)
}
