package results

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/throughput"
)

// object reads the fields of one record by name: the members of a JSON object,
// or the cells of a table's row. What is absent, null or empty reads as absent.
// The first field that cannot be read is the record's fault, kept by its source;
// readers go on and the caller looks at the end.
type object struct {
	src   *source
	node  *jsontree.Node
	cells map[string]string
	at    position
	path  string // of the object in its record, with the separator
}

// position is a place in the file.
type position struct {
	offset int64
	line   int
}

func (o object) get(key string) (field, bool) {
	if o.cells != nil {
		s := o.cells[key]
		return field{jsontree.String, s, o.at}, s != ""
	}
	n, ok := o.node.Get(key)
	if !ok {
		return field{}, false
	}
	return fieldOf(n)
}

func (o object) has(key string) bool {
	_, ok := o.get(key)
	return ok
}

// first returns the key among several spellings that the record has, or the
// first of them.
func (o object) first(keys ...string) string {
	for _, k := range keys {
		if o.has(k) {
			return k
		}
	}
	return keys[0]
}

// amount is a finite number that is not negative.
func (o object) amount(key string) (x float64, ok bool) {
	f, found := o.get(key)
	if !found {
		return 0, false
	}
	return o.amountOf(key, f)
}

func (o object) amountOf(key string, f field) (float64, bool) {
	x, err := f.number()
	if err == nil && x < 0 {
		err = fmt.Errorf("%w: %g", throughput.ErrNonPositive, x)
	}
	if err != nil {
		o.fault(key, f.at, err)
		return 0, false
	}
	return x, true
}

// maxCount is where a float64 no longer tells whole numbers apart.
const maxCount = 1 << 53

// count is a whole number that cannot be negative; 0 where it is absent.
func (o object) count(key string) int64 {
	x, ok := o.amount(key)
	if !ok {
		return 0
	}
	if x != math.Trunc(x) || x > maxCount {
		o.faultAt(key, fmt.Errorf("%w: %v", errCount, x))
		return 0
	}
	return int64(x)
}

// instant is a time in nanoseconds since the epoch, whose digits are more than a
// float64 holds.
func (o object) instant(key string) (ns int64, ok bool) {
	x, ok := o.amount(key)
	if !ok {
		return 0, false
	}
	if x >= 1<<63 {
		o.faultAt(key, fmt.Errorf("%w: %v is out of range", errCount, x))
		return 0, false
	}
	f, _ := o.get(key)
	if ns, err := strconv.ParseInt(f.text, 10, 64); err == nil {
		return ns, true
	}
	return int64(x), true // written with a fraction or an exponent
}

// rate is a request rate: absent and 0 read as 0, and infinity in any spelling
// is unbounded.
func (o object) rate(key string) (perSecond float64, unbounded bool) {
	f, ok := o.get(key)
	switch {
	case !ok:
		return 0, false
	case f.infinite():
		return 0, true
	case f.kind == jsontree.String && f.text == "trace": // arrivals as recorded
		return 0, false
	}
	perSecond, _ = o.amount(key)
	return perSecond, false
}

// text returns a string; empty where it is absent.
func (o object) text(key string) string {
	f, ok := o.get(key)
	if ok && f.kind != jsontree.String {
		o.fault(key, f.at, fmt.Errorf("%w: %v", errText, f.kind))
	}
	return strings.TrimSpace(f.text)
}

// word is text that may be written as a number or a boolean.
func (o object) word(key string) string {
	f, _ := o.get(key)
	return strings.TrimSpace(f.text)
}

// flag is a boolean; absent is false.
func (o object) flag(key string) bool {
	f, _ := o.get(key)
	return f.text == "true" || f.text == "1"
}

// in returns the object that is the value of key; absent gives one without
// members.
func (o object) in(key string) object {
	n, _ := o.node.Get(key)
	return object{src: o.src, node: n, at: o.at, path: o.path + key + "."}
}

// list yields the elements of the array at key.
func (o object) list(key string) iter.Seq[object] {
	return func(yield func(object) bool) {
		n, _ := o.node.Get(key)
		for i, item := range n.Items() {
			path := fmt.Sprintf("%s%s[%d].", o.path, key, i)
			if !yield(object{src: o.src, node: &item, at: position{offset: item.Offset}, path: path}) {
				return
			}
		}
	}
}

// numbers returns the array at key; nil where it is absent.
func (o object) numbers(key string) []float64 {
	n, ok := o.node.Get(key)
	if !ok || n.Kind == jsontree.Null {
		return nil
	}
	if n.Kind != jsontree.Array {
		o.fault(key, position{offset: n.Offset}, fmt.Errorf("%w: %v where a list belongs", errNumber, n.Kind))
		return nil
	}
	out := make([]float64, n.Len())
	items := n.Items()
	for i := range items {
		var err error
		if out[i], err = element(&items[i]); err != nil {
			o.fault(fmt.Sprintf("%s[%d]", key, i), position{offset: items[i].Offset}, err)
			return nil
		}
	}
	return out
}

func (o object) faultAt(key string, err error) {
	f, ok := o.get(key)
	if !ok {
		f.at = o.at
	}
	o.fault(key, f.at, err)
}

func (o object) fault(key string, at position, err error) {
	o.src.fault(o.path+key, at, err)
}
