package jsonout

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestObject(t *testing.T) {
	var none error
	got, err := json.Marshal(Object{
		{"estimate", 1.5},
		{"lo", math.Inf(-1)},
		{"hi", math.Inf(1)},
		{"unknown", math.NaN()},
		{"series", []float64{1, math.NaN(), math.Inf(1)}},
		{"err", errors.New("text")},
		{"none", none},
		{"warnings", []error{errors.New("few clusters")}},
		{"no_warnings", []error(nil)},
		{"name", `a "quoted" one`},
		{"nested", Object{{"n", 3}}},
	})
	require.NoError(t, err)
	assert.Equal(t, `{"estimate":1.5,"lo":"-Inf","hi":"+Inf","series":[1,null,"+Inf"],"err":"text",`+
		`"warnings":["few clusters"],"name":"a \"quoted\" one","nested":{"n":3}}`, string(got))
}

func TestObjectReportsWhatJSONCannotWrite(t *testing.T) {
	_, err := json.Marshal(Object{{"f", func() {}}})
	assert.Error(t, err)
}

func TestEmptyObject(t *testing.T) {
	got, err := json.Marshal(Object{{"unknown", math.NaN()}})
	require.NoError(t, err)
	assert.Equal(t, "{}", string(got))
}
