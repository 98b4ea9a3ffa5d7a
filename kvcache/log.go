package kvcache

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// LogFigure is a figure that an engine printed, as the interval that its rounding
// leaves.
type LogFigure struct {
	Line      int    `json:"line"`
	Engine    string `json:"engine"`
	Name      string `json:"name"` // such as "available memory", "pool tokens", "concurrency"
	Unit      string `json:"unit"` // bytes, tokens, sessions or percent
	Figure    Span   `json:"figure"`
	MaxTokens int    `json:"max_tokens,omitempty"` // of each session, where the line names it
}

// String is the one-line form.
func (f LogFigure) String() string {
	return fmt.Sprintf("line %d: %s: %s from %s to %s %s", f.Line, f.Engine, f.Name, plain(f.Figure.Lo), plain(f.Figure.Hi), f.Unit)
}

// plain has no exponent and at most four decimals.
func plain(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'f', -1, 64) }

// logLine is one kind of line: x is the figure, in units of scale, and n the
// longest session.
type logLine struct {
	engine, name, unit string
	scale              float64
	pattern            *regexp.Regexp
}

// SGLang writes GB for GiB (vllm-project/vllm issue 21348).
var logLines = []logLine{
	{"vllm", "available memory", "bytes", 1 << 30, regexp.MustCompile(`Available KV cache memory: (?P<x>[\d.,]+) GiB`)},
	{"vllm", "weights", "bytes", 1 << 30, regexp.MustCompile(`Model loading took (?P<x>[\d.]+) GiB`)},
	{"vllm", "pool tokens", "tokens", 1, regexp.MustCompile(`GPU KV cache size: (?P<x>[\d,]+) tokens`)},
	{"vllm", "concurrency", "sessions", 1, regexp.MustCompile(`Maximum concurrency for (?P<n>[\d,]+) tokens per request: (?P<x>[\d.,]+)x`)},
	{"vllm", "block", "tokens", 1, regexp.MustCompile(`Setting attention block size to (?P<x>[\d,]+) tokens`)},
	{"vllm", "padding", "percent", 1, regexp.MustCompile(`Padding mamba page size by (?P<x>[\d.]+)%`)},
	{"sglang", "pool tokens", "tokens", 1, regexp.MustCompile(`KV Cache is allocated\..*#tokens: (?P<x>[\d,]+)`)},
	{"sglang", "k pool", "bytes", 1 << 30, regexp.MustCompile(`K size: (?P<x>[\d.]+) GB`)},
	{"sglang", "v pool", "bytes", 1 << 30, regexp.MustCompile(`V size: (?P<x>[\d.]+) GB`)},
	{"llama.cpp", "cache", "bytes", 1 << 20, regexp.MustCompile(`KV (?:self|buffer) size\s*=\s*(?P<x>[\d.]+) MiB`)},
	{"llama.cpp", "states", "bytes", 1 << 20, regexp.MustCompile(`RS buffer size\s*=\s*(?P<x>[\d.]+) MiB`)},
}

// maxLogLine bounds the memory that one line can take.
const maxLogLine = 1 << 20

// ReadLog finds the figures that vLLM, SGLang and llama.cpp print about their
// caches when they start. Other lines are passed over; a figure that is no number
// is an error with its line. A log without any gives an empty list.
func ReadLog(r io.Reader) ([]LogFigure, error) {
	var out []LogFigure
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLogLine)
	n := 0
	for lines.Scan() {
		n++
		for i := range logLines {
			f, ok, err := logLines[i].read(lines.Text())
			if err != nil {
				return nil, fmt.Errorf("kvcache: log line %d: %w", n, err)
			}
			if ok {
				f.Line = n
				out = append(out, f)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("kvcache: log line %d: %w", n+1, err)
	}
	return out, nil
}

// read finds the figure in a line, which may carry any prefix of a logger.
func (l *logLine) read(line string) (LogFigure, bool, error) {
	m := l.pattern.FindStringSubmatch(line)
	if m == nil {
		return LogFigure{}, false, nil
	}
	f := LogFigure{Engine: l.engine, Name: l.name, Unit: l.unit}
	var err error
	if f.Figure, err = l.rounded(m[l.pattern.SubexpIndex("x")]); err != nil {
		return f, false, err
	}
	if i := l.pattern.SubexpIndex("n"); i >= 0 {
		f.MaxTokens, err = strconv.Atoi(strings.ReplaceAll(m[i], ",", ""))
	}
	return f, err == nil, err
}

// rounded is half a unit of the last digit on either side; a count of tokens is
// exact.
func (l *logLine) rounded(s string) (Span, error) {
	s = strings.ReplaceAll(s, ",", "")
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Span{}, err
	}
	if l.unit == "tokens" {
		return Span{x, x}, nil
	}
	_, decimals, _ := strings.Cut(s, ".")
	half := 0.5 * math.Pow10(-len(decimals))
	return Span{(x - half) * l.scale, (x + half) * l.scale}, nil
}
