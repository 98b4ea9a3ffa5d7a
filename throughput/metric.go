package throughput

import "fmt"

// Metric names a quantity. Latencies are in seconds, rates in tokens per second
// unless they say requests.
type Metric string

const (
	TTFT            Metric = "ttft"             // time to first token
	TPOT            Metric = "tpot"             // time per output token after the first
	ITL             Metric = "itl"              // gap between tokens, or chunks
	E2E             Metric = "e2e"              // whole request
	NTPOT           Metric = "ntpot"            // whole request / output tokens
	OutputRate      Metric = "output_rate"      // output tokens of all requests / run time
	TotalRate       Metric = "total_rate"       // prompt and output tokens / run time
	InputRate       Metric = "input_rate"       // prompt tokens / run time
	RequestRate     Metric = "request_rate"     // completed requests / run time
	UserRateE2E     Metric = "user_rate_e2e"    // one request's output tokens / its whole time
	UserRateDecode  Metric = "user_rate_decode" // 1 / TPOT
	PrefillRate     Metric = "prefill_rate"     // prompt tokens / prefill time
	DecodeRate      Metric = "decode_rate"      // output tokens / decode time
	MixedRate       Metric = "mixed_rate"       // prompt and output tokens / time of both: never a decode rate
	Goodput         Metric = "goodput"          // requests per second that met every target
	MeanConcurrency Metric = "mean_concurrency" // requests in flight, averaged over the run
	PeakRate        Metric = "peak_rate"        // most output in one second of the run, of tokens or of chunks
)

// LowerIsBetter reports whether the metric is a latency.
func (m Metric) LowerIsBetter() bool {
	switch m {
	case TTFT, TPOT, ITL, E2E, NTPOT:
		return true
	}
	return false
}

// Unit returns "s", "tok/s", "req/s" or, for a mean of requests, "".
func (m Metric) Unit() string {
	switch m {
	case RequestRate, Goodput:
		return "req/s"
	case MeanConcurrency:
		return ""
	}
	if m.LowerIsBetter() {
		return "s"
	}
	return "tok/s"
}

// Stat is a statistic of a metric over requests, gaps or repetitions.
type Stat string

const (
	Mean   Stat = "mean"
	Median Stat = "p50"
	Min    Stat = "min"
	Max    Stat = "max"
	Total  Stat = "total" // one figure for the whole run, such as a rate over its duration
)

// Percentile returns the statistic of percentile p, in percent: Percentile(99.9)
// is "p99.9", Percentile(50) is [Median].
func Percentile(p float64) Stat { return Stat(fmt.Sprintf("p%g", p)) }

// Definition is what a tool means by a metric. Two values of one metric compare
// only where their definitions agree.
type Definition struct {
	Tool          string         `json:"tool,omitzero"`
	IncludesFirst bool           `json:"includes_first,omitzero"` // a per-token time that counts the first token
	ZeroForOne    bool           `json:"zero_for_one,omitzero"`   // a request of one token counts as zero, not as absent
	TwoTokens     bool           `json:"two_tokens,omitzero"`     // a request of one token is left out even where it has a value
	Gap           GapKind        `json:"gap,omitzero"`
	Weight        WeightKind     `json:"weight,omitzero"`
	Percentile    PercentileKind `json:"percentile,omitzero"`
	PopulationSD  bool           `json:"population_sd,omitzero"` // divided by n, not n - 1
}

// GapKind says what an inter-token latency is the gap between.
type GapKind string

const (
	GapUnknown   GapKind = ""
	TokenGap     GapKind = "token"         // a chunk's gap spread over its tokens
	ChunkGap     GapKind = "chunk"         // between streamed chunks
	ZeroInChunk  GapKind = "zero_inside"   // tokens of one chunk share its time
	RequestGap   GapKind = "per_request"   // a request's mean gap
	ChunkedTotal GapKind = "e2e_per_chunk" // whole request / chunks
)

// WeightKind says what a mean gives equal weight.
type WeightKind string

const (
	WeightUnknown WeightKind = ""
	PerRequest    WeightKind = "request"
	PerGap        WeightKind = "gap"
	PerToken      WeightKind = "token"
	PerTokenLess1 WeightKind = "token-1" // output tokens - 1
	PerTime       WeightKind = "time"
	PerRepetition WeightKind = "repetition"
)

// PercentileKind says how a tool takes percentiles.
type PercentileKind string

const (
	PercentileUnknown PercentileKind = ""
	Type7             PercentileKind = "type7"    // linear between order statistics
	FloorIndex        PercentileKind = "floor"    // sorted[floor(n p)]
	Weighted          PercentileKind = "weighted" // of a weighted distribution
)
