package tsv

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	const text = "\uFEFF# origin\nname\tn\textra\r\n\r\na\t1.5\t\r\nb\t-2\tx\r\n"
	var got []string
	for row, err := range Read(strings.NewReader(text), "f.tsv", "n", "name") {
		require.NoError(t, err)
		n, err := row.Float("n")
		require.NoError(t, err)
		assert.Empty(t, row.Text("no such column"))
		got = append(got, row.Text("name"))
		if row.Line == 4 {
			assert.Equal(t, 1.5, n)
		}
	}
	assert.Equal(t, []string{"a", "b"}, got)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
		is         error
	}{
		{"", "f.tsv: the file is empty", ErrEmpty},
		{"\n#\n", "f.tsv: the file is empty", ErrEmpty},
		{"n\tm\n", "f.tsv: the file has a header and no rows", ErrEmpty},
		{"n\tm", "f.tsv:1: the file ends inside this row: its last line has no line break", ErrTruncated},
		{"n\tm\n1\t2", "f.tsv:2: the file ends inside this row: its last line has no line break", ErrTruncated},
		{"n\tm\n1\n", "f.tsv:2: 1 cells where the header has 2", ErrColumn},
		{"n\tm\n1\t2\t3\n", "f.tsv:2: 3 cells where the header has 2", ErrColumn},
		{"m\to\n1\t2\n", "f.tsv:1: column n: missing; the header has m, o", ErrColumn},
		{"n\tn\n1\t2\n", "f.tsv:1: column n: named twice in the header", ErrColumn},
		{"n\n\xff\n", "f.tsv:2: not UTF-8 text", ErrValue},
	} {
		var last error
		for _, err := range Read(strings.NewReader(c.text), "f.tsv", "n") {
			last = err
		}
		assert.EqualError(t, last, c.want, "%q", c.text)
		assert.ErrorIs(t, last, c.is, "%q", c.text)
	}
}

func TestFloatRefusesWhatIsNotFinite(t *testing.T) {
	for row, err := range Read(strings.NewReader("n\nNaN\n+Inf\nx\n1e999\n"), "f.tsv", "n") {
		require.NoError(t, err)
		_, err = row.Float("n")
		e, ok := errors.AsType[*Error](err)
		require.True(t, ok, "line %d: %v", row.Line, err)
		assert.Equal(t, Error{"f.tsv", row.Line, "n", e.Reason, ErrValue}, *e)
	}
}

func TestReaderErrorsPassThrough(t *testing.T) {
	for _, err := range Read(iotest.ErrReader(iotest.ErrTimeout), "f.tsv", "n") {
		assert.ErrorIs(t, err, iotest.ErrTimeout)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("n\tm\n1\t2\n")
	f.Fuzz(func(t *testing.T, text string) {
		for row, err := range Read(strings.NewReader(text), "f.tsv", "n") {
			if err == nil {
				_, _ = row.Float("n")
			}
		}
	})
}
