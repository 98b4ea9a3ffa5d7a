package logits

import (
	"encoding/binary"
	"fmt"
	"math"
)

// llama.cpp raises whatever lies more than 16 nats below a row's largest logit to
// that floor; ik_llama.cpp does so at 24 and writes the same header. Only the
// range of the rows tells them apart.
const (
	// A range above sure24 has gone past a floor of 16: a row at that floor has
	// 65535 x scale = 15.9999999963.
	sure24 = 16.01
	// A row whose range reaches 16 or 24 to within slack may have been cut there.
	floorSlack = 0.001
)

// FloorError says that a base file's floor raised the log-probability of tokens
// of the text, which makes perplexities from it, and their ratio, meaningless: a
// model against itself can come out at 3 where the truth is 1. Divergences suffer
// little, as such tokens have no weight in them.
type FloorError struct {
	Floor        float64 // nats below the largest logit
	Hits, Scored int     // data tokens at the floor, of all that were read
}

// Error implements error.
func (e *FloorError) Error() string {
	return fmt.Sprintf("logits: %d of %d data tokens lie at the base file's floor of %g nats: no perplexity from it", e.Hits, e.Scored, e.Floor)
}

// floorCount follows the rows of a file. Which floor the file has is known only
// in the end, so both are counted.
type floorCount struct {
	widest         float64
	hits16, hits24 int
	scored         int
}

// add counts one row as stored, with the token that followed it.
func (f *floorCount) add(raw []byte, token int) {
	span := maxCode * float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))
	f.widest = max(f.widest, span)
	f.scored++
	if binary.LittleEndian.Uint16(raw[rowHeader+2*token:]) != 0 {
		return
	}
	switch {
	case span > 24-floorSlack:
		f.hits24++
	case span > 16-floorSlack && span <= sure24:
		f.hits16++
	}
}

// floor judges by the widest row: one beyond 16 shows a floor of 24 for all.
func (f *floorCount) floor() (nats float64, hits int) {
	switch {
	case f.widest > sure24:
		return 24, f.hits24
	case f.widest > 16-floorSlack:
		return 16, f.hits16
	}
	return 0, 0
}

// Floor returns how many nats below a row's largest logit the file cuts, judged
// by the rows read so far: 16 (llama.cpp), 24 (ik_llama.cpp), or 0 while no row
// reached a floor and it cannot be known.
func (b *Base) Floor() float64 {
	nats, _ := b.floor.floor()
	return nats
}

// PerplexityError returns a [*FloorError] when data tokens read so far lie at the
// floor, so that their log-probability is unknown; nil when perplexities can be
// computed.
func (b *Base) PerplexityError() error {
	if nats, hits := b.floor.floor(); hits > 0 {
		return &FloorError{nats, hits, b.floor.scored}
	}
	return nil
}

// finish leaves the floor's verdict in the warnings, once.
func (b *Base) finish() {
	if err := b.PerplexityError(); err != nil && len(b.warnings) == 0 {
		b.warnings = append(b.warnings, err)
	}
}
