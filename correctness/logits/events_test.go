package logits

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEventsBlankAllButData(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct{ in, want string }{
		{`{"a":1}`, `{"a":1}`},
		{"data: 1\n\ndata: [DONE]\n", "      1\n\n             "},
		{"event: x\nid: 4\ndata:{}\n: note\nretry: 5\n", "               " + "     {}\n" + "                 "},
		{"data: \"" + long + "\"\n: " + long + "\n", "      \"" + long + "\"\n" + strings.Repeat(" ", len(long)+3)},
		{"data: 1\nnot a field\n", "      1\nnot a field\n"},
	} {
		got, err := io.ReadAll(iotest.OneByteReader(events(bufio.NewReader(strings.NewReader(c.in)))))
		require.NoError(t, err)
		assert.Len(t, string(got), len(c.in), "offsets are kept")
		assert.Equal(t, strings.Fields(c.want), strings.Fields(string(got)))
	}
}

func TestEventsPassErrors(t *testing.T) {
	_, err := io.ReadAll(events(bufio.NewReader(io.MultiReader(strings.NewReader("data: 1"), iotest.ErrReader(io.ErrClosedPipe)))))
	assert.ErrorIs(t, err, io.ErrClosedPipe)
}
