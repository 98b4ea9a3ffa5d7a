package kvcache

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// Bytes is an exact number of bytes.
type Bytes int64

// GB is decimal, as data sheets count memory; GiB is binary, as most engine logs
// do, often under the name GB. They are 7 % apart, so neither is ever implied.
const (
	GB  Bytes = 1e9
	GiB Bytes = 1 << 30
)

// String gives the exact count, and four significant digits of it in GB and in
// GiB: "50080000000 B (50.08 GB, 46.64 GiB)".
func (b Bytes) String() string {
	return fmt.Sprintf("%d B (%s GB, %s GiB)", int64(b), b.short(GB), b.short(GiB))
}

// short writes b in the unit with four significant digits and no exponent.
func (b Bytes) short(unit Bytes) string {
	x := float64(b) / float64(unit)
	if x == 0 {
		return "0"
	}
	digits := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	s := strconv.FormatFloat(x, 'f', max(digits, 0), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// units are keyed by their lower-case names.
var units = map[string]int64{
	"b":  1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// ParseBytes reads a size such as "96GB", "89.4 GiB" or "65536 B" exactly, and
// rounds a fraction of a byte half up. The unit is required and its case does not
// matter, except that "Gb" and the like are bits: a missing or unknown unit is
// [ErrUnit]. A number of anything but digits and a point, such as "-96" or
// "1,000", is [strconv.ErrSyntax], one too large [ErrOverflow].
func ParseBytes(s string) (Bytes, error) {
	number, unit := splitUnit(strings.TrimSpace(s))
	scale, ok := units[strings.ToLower(unit)]
	if bits := len(unit) == 2 && unit[1] == 'b' && unit[0] < 'a'; !ok || bits {
		return 0, fmt.Errorf("%w: %.80q: B, or kB, MB, GB, TB, or KiB, MiB, GiB, TiB", ErrUnit, s)
	}
	return decimal(number, scale, s)
}

// splitUnit splits before the letters at the end.
func splitUnit(s string) (number, unit string) {
	number = strings.TrimRightFunc(s, unicode.IsLetter)
	return strings.TrimSpace(number), s[len(number):]
}

// maxDigits bounds the work that a hostile string can ask for.
const maxDigits = 64

// decimal is number x scale, rounded half up. big.Rat reads more than a decimal,
// and an exponent can ask for any amount of memory.
func decimal(number string, scale int64, whole string) (Bytes, error) {
	var x *big.Rat
	if len(number) <= maxDigits && strings.Trim(number, "0123456789.") == "" {
		x, _ = new(big.Rat).SetString(number) // nil if it is no number
	}
	if x == nil {
		return 0, fmt.Errorf("kvcache: %.80q is not a size: %w", whole, strconv.ErrSyntax)
	}
	x.Mul(x, new(big.Rat).SetInt64(scale))
	n := floor(x.Add(x, big.NewRat(1, 2)))
	if !n.IsInt64() {
		return 0, fmt.Errorf("%w: %s", ErrOverflow, whole)
	}
	return Bytes(n.Int64()), nil
}

// floor rounds towards minus infinity.
func floor(x *big.Rat) *big.Int {
	return new(big.Int).Div(x.Num(), x.Denom())
}
