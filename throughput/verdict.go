package throughput

import "fmt"

// Verdict says what a comparison established.
type Verdict int

const (
	Inconclusive Verdict = iota // neither a difference nor its absence
	Faster                      // the candidate, or engine A
	Slower
	Equivalent // within the margin, whether or not a difference is established
)

var verdicts = [...]string{"inconclusive", "faster", "slower", "equivalent"}

// String gives the verdict as a word.
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdicts) {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return verdicts[v]
}

// MarshalText gives the verdict as a word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }
