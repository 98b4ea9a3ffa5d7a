package correctness

// SummaryOptions are the choices of a [Summary]. Zero values, and nil, mean the
// defaults named here.
type SummaryOptions struct {
	Level      float64 // of two-sided intervals; 0 is 0.90, two one-sided bounds of 95%
	Replicates int     // of the bootstrap; 0 is 2000
	Seed       uint64  // 0 is a fixed one
}

func (o *SummaryOptions) resolved() (SummaryOptions, error) {
	if o == nil {
		o = &SummaryOptions{}
	}
	r := *o
	if r.Level == 0 {
		r.Level = 0.90
	}
	if r.Replicates == 0 {
		r.Replicates = 2000
	}
	if !(r.Level > 0 && r.Level < 1) {
		return r, optionError("Level %g", o.Level)
	}
	if r.Replicates < 100 {
		return r, optionError("Replicates %d, under 100", o.Replicates)
	}
	return r, nil
}
