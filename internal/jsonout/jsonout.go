// Package jsonout writes result structs as JSON where encoding/json alone would
// fail or lose something: infinities become "+Inf" and "-Inf", an unknown figure
// (NaN) is left out, and errors become their text.
package jsonout

import (
	"bytes"
	"encoding/json"
	"math"
)

// Field is one member of an object.
type Field struct {
	Name  string
	Value any
}

// Object is a JSON object whose members keep their order. A member is left out
// when its value is a NaN, a nil error or an empty list of errors.
type Object []Field

// MarshalJSON implements [json.Marshaler].
func (o Object) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	buf.WriteByte('{')
	for _, f := range o {
		v, ok := plain(f.Value)
		if !ok {
			continue
		}
		if err := member(&buf, f.Name, v); err != nil {
			return nil, err
		}
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

func member(buf *bytes.Buffer, name string, v any) error {
	key, err := json.Marshal(name)
	if err != nil {
		return err
	}
	val, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if buf.Len() > 1 {
		buf.WriteByte(',')
	}
	buf.Write(key)
	buf.WriteByte(':')
	buf.Write(val)
	return nil
}

// plain turns v into something encoding/json writes faithfully; ok is false
// when the member is to be left out.
func plain(v any) (out any, ok bool) {
	switch v := v.(type) {
	case float64:
		return Float(v), !math.IsNaN(v)
	case []float64:
		return floats(v), true
	case error:
		return v.Error(), true
	case []error:
		return texts(v), len(v) > 0
	case nil:
		return nil, false
	}
	return v, true
}

// Float is a float64 that survives JSON: infinities are the strings "+Inf" and
// "-Inf", NaN is null.
type Float float64

// MarshalJSON implements [json.Marshaler].
func (f Float) MarshalJSON() ([]byte, error) {
	switch x := float64(f); {
	case math.IsNaN(x):
		return []byte("null"), nil
	case math.IsInf(x, 1):
		return []byte(`"+Inf"`), nil
	case math.IsInf(x, -1):
		return []byte(`"-Inf"`), nil
	default:
		return json.Marshal(x)
	}
}

// floats keeps positions, so an unknown entry is null, not missing.
func floats(xs []float64) []Float {
	out := make([]Float, len(xs))
	for i, x := range xs {
		out[i] = Float(x)
	}
	return out
}

func texts(errs []error) []string {
	out := make([]string, len(errs))
	for i, err := range errs {
		out[i] = err.Error()
	}
	return out
}
