package texttable

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func ExampleTable() {
	t := New(Column{"Engine", Left}, Column{"tok/s", Right}, Column{"Note", Left})
	t.Row("Pie", "205.0")
	t.Row("vLLM Metal", "9.5", "peak")
	_ = t.Write(os.Stdout, "")
	// Output:
	// Engine      tok/s  Note
	// Pie         205.0
	// vLLM Metal    9.5  peak
}

func TestWidthsCountRunes(t *testing.T) {
	tab := New(Column{"a", Left}, Column{"b", Left})
	tab.Row("2× x", "1")
	tab.Row("long", "2", "dropped")
	var b strings.Builder
	require.NoError(t, tab.Write(&b, "| "))
	assert.Equal(t, "| a     b\n| 2× x  1\n| long  2\n", b.String())
}
