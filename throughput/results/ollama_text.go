package results

import (
	"fmt"
	"strings"
	"time"

	"example.com/servemath/throughput"
)

// decodeOllamaMarkdown reads the default output of cmd/bench, which has a dash
// where a step has no rate.
func decodeOllamaMarkdown(s *source) []throughput.Run {
	if s.endsInside(closedRow) {
		return nil
	}
	o := &ollamaSteps{src: s}
	for row := range s.tables("Model", "Step", "Count", "Duration", "tokensPerSec") {
		st := step{model: row.word("Model"), name: row.word("Step"), count: row.count("Count"), seconds: row.goDuration("Duration"), at: row.at}
		if row.word("tokensPerSec") != "-" {
			st.rate, _ = row.amount("tokensPerSec")
		}
		if s.err == nil {
			o.add(st)
		}
	}
	o.flush()
	return o.runs
}

// ollamaLines are the lines of `ollama run --verbose`.
var ollamaLines = map[string]string{
	"prompt eval count": " token(s)", "prompt eval rate": " tokens/s", "eval count": " token(s)", "eval rate": " tokens/s",
	"total duration": "", "load duration": "", "prompt eval duration": "", "eval duration": "",
}

// decodeOllamaVerbose reads what `ollama run --verbose` prints below an answer,
// as often as it is there. A prompt that was cached has no count.
func decodeOllamaVerbose(s *source) []throughput.Run {
	o := &ollamaSteps{src: s}
	if s.endsInside(func(last string) bool { return strings.HasPrefix(last, "eval rate:") }) {
		return nil
	}
	var prompt, answer int64
	for _, l := range s.text.lines {
		key, value, ok := strings.Cut(l.s, ":")
		unit, known := ollamaLines[key]
		if !ok || !known {
			continue
		}
		figure, whole := strings.CutSuffix(strings.TrimSpace(value), unit)
		row := object{src: s, at: l.at, cells: map[string]string{key: strings.TrimSpace(figure)}}
		switch {
		case !whole:
			s.fault(key, l.at, fmt.Errorf("%w: no %q", ErrTruncated, strings.TrimSpace(unit)))
		case key == "total duration":
			o.flush()
			o.add(step{name: "total", seconds: row.goDuration(key), at: l.at})
		case key == "load duration":
			o.add(step{name: "load", seconds: row.goDuration(key), at: l.at})
		case key == "prompt eval count":
			prompt = row.count(key)
		case key == "eval count":
			answer = row.count(key)
		case key == "prompt eval rate":
			rate, _ := row.amount(key)
			o.add(step{name: "prefill", count: prompt, rate: rate, at: l.at})
			prompt = 0
		case key == "eval rate":
			rate, _ := row.amount(key)
			o.add(step{name: "generate", count: answer, rate: rate, at: l.at})
		}
	}
	if o.cur != nil && !o.seen["generate"] {
		s.fault("", s.text.last(), fmt.Errorf("%w before an eval rate", ErrTruncated))
	}
	o.flush()
	return o.runs
}

// goDuration reads a Go duration, in seconds.
func (o object) goDuration(key string) float64 {
	d, err := time.ParseDuration(o.word(key))
	switch {
	case err != nil:
		o.faultAt(key, fmt.Errorf("%w: %q", errDuration, o.word(key)))
	case d < 0:
		o.faultAt(key, fmt.Errorf("%w: %v", throughput.ErrNonPositive, d))
	}
	return d.Seconds()
}
