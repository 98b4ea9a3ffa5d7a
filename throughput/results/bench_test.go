package results

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/throughput"
)

// serveResult is what encoding/json decodes a vLLM result into, for comparison:
// the fields that the reader reads.
type serveResult struct {
	Backend              string      `json:"backend"`
	ModelID              string      `json:"model_id"`
	NumPrompts           int         `json:"num_prompts"`
	RequestRate          any         `json:"request_rate"`
	MaxConcurrency       *int        `json:"max_concurrency"`
	Duration             float64     `json:"duration"`
	Completed            int         `json:"completed"`
	Failed               int         `json:"failed"`
	TotalInputTokens     int64       `json:"total_input_tokens"`
	TotalOutputTokens    int64       `json:"total_output_tokens"`
	RequestThroughput    float64     `json:"request_throughput"`
	OutputThroughput     float64     `json:"output_throughput"`
	TotalTokenThroughput float64     `json:"total_token_throughput"`
	MeanTTFT, MedianTTFT float64     `json:"-"`
	MeanTTFTMs           float64     `json:"mean_ttft_ms"`
	MedianTTFTMs         float64     `json:"median_ttft_ms"`
	StdTTFTMs            float64     `json:"std_ttft_ms"`
	P99TTFTMs            float64     `json:"p99_ttft_ms"`
	MeanTPOTMs           float64     `json:"mean_tpot_ms"`
	MedianTPOTMs         float64     `json:"median_tpot_ms"`
	StdTPOTMs            float64     `json:"std_tpot_ms"`
	P99TPOTMs            float64     `json:"p99_tpot_ms"`
	MeanITLMs            float64     `json:"mean_itl_ms"`
	MedianITLMs          float64     `json:"median_itl_ms"`
	StdITLMs             float64     `json:"std_itl_ms"`
	P99ITLMs             float64     `json:"p99_itl_ms"`
	OutputLens           []int       `json:"output_lens"`
	TTFTs                []float64   `json:"ttfts"`
	ITLs                 [][]float64 `json:"itls"`
	Errors               []string    `json:"errors"`
	Texts                []string    `json:"generated_texts"`
}

// detailedResult is a vLLM result of n requests with its lists.
func detailedResult(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	r := serveResult{
		Backend: "vllm", ModelID: "org/model", NumPrompts: n, RequestRate: "inf", Duration: 10, Completed: n,
		TotalInputTokens: int64(n) * 100, TotalOutputTokens: int64(n) * 50, RequestThroughput: float64(n) / 10,
		OutputThroughput: float64(n) * 5, TotalTokenThroughput: float64(n) * 15, MeanTTFTMs: 50.123456789, MedianTTFTMs: 49, StdTTFTMs: 2, P99TTFTMs: 60,
		MeanTPOTMs: 10.5, MedianTPOTMs: 10.1, StdTPOTMs: 1, P99TPOTMs: 14, MeanITLMs: 10.4, MedianITLMs: 10.2, StdITLMs: 3, P99ITLMs: 30,
	}
	for range n {
		gaps := make([]float64, 49)
		for i := range gaps {
			gaps[i] = 0.01 + 0.001*rng.Float64()
		}
		r.OutputLens, r.TTFTs, r.ITLs = append(r.OutputLens, 50), append(r.TTFTs, 0.05+0.01*rng.Float64()), append(r.ITLs, gaps)
		r.Errors, r.Texts = append(r.Errors, ""), append(r.Texts, strings.Repeat("some text ", 20))
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return b
}

func benchFiles(b *testing.B) map[string][]byte {
	summary, err := os.ReadFile("testdata/vllm_serve_2025.json")
	require.NoError(b, err)
	return map[string][]byte{"summary": summary, "detailed": detailedResult(1000)}
}

func BenchmarkDecode(b *testing.B) {
	for name, text := range benchFiles(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(bytes.NewReader(text), "f"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncodingJSON is the same files with encoding/json into a struct.
func BenchmarkEncodingJSON(b *testing.B) {
	for name, text := range benchFiles(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var r serveResult
				if err := json.NewDecoder(bytes.NewReader(text)).Decode(&r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// recordStream yields per-request records until it has given size bytes.
type recordStream struct {
	size, given, looked int64
	line, rest          []byte
	live                bool   // look at what is reachable alone, whatever ran before
	peak                uint64 // heap in use, looked at every megabyte
}

func newRecordStream(tb testing.TB, size int64) *recordStream {
	b, err := os.ReadFile("testdata/aiperf_records.jsonl")
	require.NoError(tb, err)
	lines := bytes.SplitAfter(b, []byte("\n"))
	return &recordStream{size: size, line: lines[1]}
}

func (s *recordStream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.given >= s.size {
			return 0, io.EOF
		}
		s.rest = s.line
		if s.given += int64(len(s.line)); s.given > s.looked+1<<20 {
			s.look()
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *recordStream) look() {
	s.looked, s.peak = s.given, max(s.peak, heapInUse(s.live))
}

func heapInUse(live bool) uint64 {
	var m runtime.MemStats
	if live {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	if live {
		return m.HeapAlloc
	}
	return m.HeapInuse
}

// BenchmarkStream decodes 1 GiB of AIPerf records and reports the most heap in
// use: go test -bench Stream -benchtime 1x.
func BenchmarkStream(b *testing.B) {
	const size = 1 << 30
	b.SetBytes(size)
	for b.Loop() {
		s := newRecordStream(b, size)
		_, err := Decode(s, "f")
		require.NoError(b, err)
		b.ReportMetric(float64(s.peak)/1e6, "MB-peak")
	}
}

// TestStreamsInBoundedMemory: 16 MB of records, with more gaps than are kept, hold
// less than that at any time.
func TestStreamsInBoundedMemory(t *testing.T) {
	s := newRecordStream(t, 16<<20)
	s.live = true
	before := heapInUse(true)
	runs, err := Decode(s, "f")
	require.NoError(t, err)
	v := value(t, runs[0], throughput.ITL, throughput.Mean)
	require.Greater(t, v.N, maxSamples)
	require.NotNil(t, v.Sketch)
	require.Less(t, s.peak, before+8<<20)
}
