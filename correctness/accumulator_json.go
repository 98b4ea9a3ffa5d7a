package correctness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"example.com/servemath/internal/jsonout"
)

// The JSON form of an accumulator. Sums are pairs of a float64 and what it leaves
// of the exact sum; divergences and log-probabilities are in nats.
type (
	accumulatorJSON struct {
		Format   string       `json:"format"`
		ExactCap int          `json:"exact_cap"`
		Sketched bool         `json:"sketched"`
		Prompts  []promptJSON `json:"prompts"`
		Worst    []worstJSON  `json:"worst"`
	}
	promptJSON struct {
		Prompt    string                `json:"prompt"`
		Counts    map[string]int64      `json:"counts"`
		Sums      map[string][2]float64 `json:"sums"`
		Peaks     map[string]float64    `json:"peaks"`
		Positions [][2]int              `json:"position_ranges"`
		Values    []float64             `json:"kl_nats,omitempty"`
		Buckets   [][2]int64            `json:"kl_buckets,omitempty"`
	}
	worstJSON struct {
		Prompt string    `json:"prompt"`
		Index  int       `json:"position"`
		KL     jsonFloat `json:"kl_nats"`
		TopRef int       `json:"top_ref"`
		TopGot int       `json:"top_got"`
	}
)

const jsonFormat = "servemath accumulator 1"

// jsonFloat reads back what [jsonout.Float] writes.
type jsonFloat float64

func (f jsonFloat) MarshalJSON() ([]byte, error) { return jsonout.Float(f).MarshalJSON() }

func (f *jsonFloat) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		return json.Unmarshal(b, (*float64)(f))
	}
	x, err := strconv.ParseFloat(s, 64)
	*f = jsonFloat(x)
	return err
}

// MarshalJSON implements [json.Marshaler]; see [Accumulator.MarshalBinary] for a
// form a quarter as long. A prompt whose name is not UTF-8 is ErrFormat: JSON would
// change it.
func (a *Accumulator) MarshalJSON() ([]byte, error) {
	out := accumulatorJSON{Format: jsonFormat, ExactCap: a.exactCap(), Sketched: a.full,
		Prompts: []promptJSON{}, Worst: []worstJSON{}}
	for _, name := range a.names() {
		if !utf8.ValidString(name) {
			return nil, &InputError{name, -1, -1, "its name is not UTF-8, which JSON needs", ErrFormat}
		}
		out.Prompts = append(out.Prompts, a.prompts[name].toJSON(name))
	}
	for _, w := range a.worst {
		out.Worst = append(out.Worst, worstJSON{w.Prompt, w.Index, jsonFloat(w.KL), w.TopRef, w.TopGot})
	}
	return json.Marshal(out)
}

func (g *prompt) toJSON(name string) promptJSON {
	p := promptJSON{Prompt: name, Counts: map[string]int64{}, Sums: map[string][2]float64{}, Peaks: map[string]float64{},
		Positions: g.seen, Values: g.sorted()}
	for i, n := range g.counts {
		p.Counts[countNames[i]] = n
	}
	for i, s := range g.sums {
		p.Sums[sumNames[i]] = [2]float64{s.Hi, s.Lo}
	}
	for i, x := range g.peaks {
		p.Peaks[peakNames[i]] = x
	}
	for _, b := range g.buckets {
		p.Buckets = append(p.Buckets, [2]int64{int64(b.At), b.Count})
	}
	return p
}

// UnmarshalJSON replaces the accumulator's content. Input that
// [Accumulator.MarshalJSON] did not write is ErrFormat, and changes nothing.
func (a *Accumulator) UnmarshalJSON(data []byte) error {
	var in accumulatorJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: text after the accumulator", ErrFormat)
	}
	if in.Format != jsonFormat {
		return fmt.Errorf("%w: format %q, not %q", ErrFormat, in.Format, jsonFormat)
	}
	b := &Accumulator{ExactCap: in.ExactCap, full: in.Sketched, prompts: map[string]*prompt{}}
	for _, p := range in.Prompts {
		if b.prompts[p.Prompt] != nil {
			return fmt.Errorf("%w: prompt %q twice", ErrFormat, p.Prompt)
		}
		g, err := p.prompt()
		if err != nil {
			return err
		}
		b.prompts[p.Prompt] = g
		b.kept += len(g.values)
	}
	for _, w := range in.Worst {
		b.worst = append(b.worst, WorstPosition{w.Prompt, w.Index, float64(w.KL), w.TopRef, w.TopGot})
	}
	if err := b.check(); err != nil {
		return err
	}
	*a = *b
	return nil
}

func (p *promptJSON) prompt() (*prompt, error) {
	g := &prompt{seen: p.Positions, values: p.Values}
	if len(p.Counts) != numCounts || len(p.Sums) != numSums || len(p.Peaks) != numPeaks {
		return nil, fmt.Errorf("%w: members of prompt %q", ErrFormat, p.Prompt)
	}
	missing := ""
	for i, name := range countNames {
		g.counts[i] = member(p.Counts, name, &missing)
	}
	for i, name := range sumNames {
		s := member(p.Sums, name, &missing)
		g.sums[i] = exact{s[0], s[1]}
	}
	for i, name := range peakNames {
		g.peaks[i] = member(p.Peaks, name, &missing)
	}
	if missing != "" {
		return nil, fmt.Errorf("%w: prompt %q has no %q", ErrFormat, p.Prompt, missing)
	}
	for _, b := range p.Buckets {
		if b[0] < math.MinInt32 || b[0] > math.MaxInt32 {
			return nil, fmt.Errorf("%w: bucket %d of prompt %q", ErrFormat, b[0], p.Prompt)
		}
		g.buckets = append(g.buckets, bucket{int32(b[0]), b[1]})
	}
	return g, nil
}

func member[V any](m map[string]V, name string, missing *string) V {
	v, ok := m[name]
	if !ok {
		*missing = name
	}
	return v
}
