package correctness

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// binaryMagic opens the binary form; its last byte is the version.
const binaryMagic = "smcorr\x00\x01"

// MarshalBinary returns everything the accumulator holds, in an order that does
// not depend on how it was collected, followed by a CRC-32.
func (a *Accumulator) MarshalBinary() ([]byte, error) {
	a = a.orEmpty()
	w := binaryWriter(binaryMagic)
	w.uint(uint64(a.exactCap()))
	w.bool(a.full)
	w.uint(uint64(len(a.prompts)))
	for _, name := range a.names() {
		w.text(name)
		w.prompt(a.prompts[name])
	}
	w.uint(uint64(len(a.worst)))
	for _, p := range a.worst {
		w.text(p.Prompt)
		w.uint(uint64(p.Index))
		w.float(p.KL)
		w.int(int64(p.TopRef))
		w.int(int64(p.TopGot))
	}
	return binary.LittleEndian.AppendUint32(w, crc32.ChecksumIEEE(w)), nil
}

// UnmarshalBinary replaces the accumulator's content. Input that ends early is
// ErrTruncated, other input that [Accumulator.MarshalBinary] did not write is
// ErrFormat; the content is unchanged then.
func (a *Accumulator) UnmarshalBinary(data []byte) error {
	if len(data) < len(binaryMagic)+4 {
		return fmt.Errorf("%w: %d bytes of an accumulator", ErrTruncated, len(data))
	}
	if string(data[:len(binaryMagic)]) != binaryMagic {
		return fmt.Errorf("%w: no accumulator of this version", ErrFormat)
	}
	body := data[:len(data)-4]
	r := binaryReader{data: body, at: len(binaryMagic)}
	b := r.accumulator()
	switch {
	case r.err != nil:
		return r.err
	case r.at != len(body):
		return fmt.Errorf("%w: %d bytes after the accumulator at offset %d", ErrFormat, len(body)-r.at, r.at)
	case binary.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body):
		return fmt.Errorf("%w: check sum of the accumulator", ErrFormat)
	}
	if err := b.check(); err != nil {
		return err
	}
	*a = *b
	return nil
}
