package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file is a safetensors file with that header and that many bytes of data.
func file(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

const good = `{"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[16,28]},"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`

func TestReadHeader(t *testing.T) {
	b := file(good, 28)
	h, err := ReadHeader(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	assert.Equal(t, []Tensor{{"a", "F32", []int64{4}, 0, 16}, {"b", "BF16", []int64{2, 3}, 16, 28}}, h.Tensors)
	assert.Equal(t, map[string]string{"format": "pt"}, h.Metadata)
	assert.EqualValues(t, 8+len(good), h.DataOffset)
	assert.EqualValues(t, 28, h.DataBytes())
}

func TestEveryTruncationIsNoticed(t *testing.T) {
	b := file(good, 28)
	for n := range b {
		_, err := ReadHeader(bytes.NewReader(b[:n]), int64(n))
		assert.ErrorIs(t, err, ErrTruncated, "cut at %d", n)
	}
	_, err := ReadHeader(bytes.NewReader(b[:8+len(good)]), -1)
	assert.NoError(t, err, "a size that is not known is not held against the tensors")
}

func TestBadHeaders(t *testing.T) {
	for name, c := range map[string]struct {
		header, tensor, reason string
		is                     error
	}{
		"not JSON":         {`{"a":}`, "", "header", ErrHeader},
		"a list":           {`[]`, "", "not an object", ErrHeader},
		"duplicate":        {`{"a":1,"a":1}`, "", "duplicate", ErrHeader},
		"no dtype":         {`{"a":{"shape":[1],"data_offsets":[0,4]}}`, "a", "dtype", ErrHeader},
		"negative shape":   {`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, "a", "shape", ErrHeader},
		"no shape":         {`{"a":{"dtype":"F32","data_offsets":[0,4]}}`, "a", "shape", ErrHeader},
		"offsets reversed": {`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, "a", "data_offsets", ErrHeader},
		"wrong size":       {`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "a", "takes 8 bytes", ErrHeader},
		"overflow":         {`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, "a", "takes -1", ErrHeader},
		"overlap": {`{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}}`,
			"b", "overlap", ErrHeader},
		"past the end": {`{"a":{"dtype":"U8","shape":[1000000000000],"data_offsets":[0,1000000000000]}}`, "a", "end at byte", ErrTruncated},
		"metadata":     {`{"__metadata__":{"n":1}}`, "", "metadata", ErrHeader},
	} {
		b := file(c.header, 8)
		_, err := ReadHeader(bytes.NewReader(b), int64(len(b)))
		he, ok := errors.AsType[*HeaderError](err)
		if !assert.True(t, ok, "%s: %v", name, err) {
			continue
		}
		assert.Equal(t, c.tensor, he.Tensor, name)
		assert.ErrorIs(t, err, c.is, name)
		assert.True(t, strings.Contains(err.Error(), c.reason), "%s: %v", name, err)
	}
}

func TestClaimedSizesDoNotCostMemory(t *testing.T) {
	claim := binary.LittleEndian.AppendUint64(nil, MaxHeader)
	_, err := ReadHeader(bytes.NewReader(claim), -1)
	assert.ErrorIs(t, err, ErrTruncated)
	claim = binary.LittleEndian.AppendUint64(nil, 1<<40)
	_, err = ReadHeader(bytes.NewReader(claim), 1<<10)
	assert.ErrorIs(t, err, ErrHeader)
}

func FuzzReadHeader(f *testing.F) {
	f.Add(file(good, 28))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, '{'})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ReadHeader(bytes.NewReader(b), int64(len(b)))
		if err == nil && h.DataOffset+h.DataBytes() > int64(len(b)) {
			t.Fatal("tensors beyond the file")
		}
	})
}
