// Package results reads the files that benchmark tools write and turns each
// measurement into a [throughput.Run]: which engine, under what load, with what
// work, and what the figures are, in seconds and per second whatever the file's
// units, each with the definition that its tool gives it.
//
//	f, err := os.Open("serve.json")
//	runs, err := results.Decode(f, "serve.json")
//	ttft, ok := runs[0].Get(throughput.TTFT, throughput.Mean)  // seconds
//
// [Decode] knows a file by its content, not by its name; [Formats] lists what it
// knows. [DecodeFS] reads a folder of mixed files, reports those it cannot read,
// one error each, and goes on.
//
// # What a run says
//
// Only what its file says. What is missing is missing, never 0, and a 0 that a
// tool writes for "no data" is taken for missing, with a warning. No statistic is
// computed but the mean and the extremes of observations that a file lists one by
// one; up to 100,000 of them are kept as Samples. All statistics of one
// metric share N, SD and Samples. Failed requests and warm-up requests are counted
// or left out, never averaged in.
//
// The same word is not the same number in two tools: a metric goes by what it
// measures, so AIPerf's "inter token latency", which is a request's mean, is a
// TPOT, and what cannot be told apart by name is told apart by
// [throughput.Definition].
//
// # What it refuses
//
// Every error is a [*DecodeError] with tool, file, field and place. Refused are
// files cut off inside a record ([ErrTruncated]); duplicate keys, which other
// readers hide ([ErrDuplicateKey]); rows longer or shorter than their header;
// negative, infinite and impossible figures; unknown units; YAML, with the
// conversion to run; and what no format fits, naming the nearest
// ([ErrUnknownFormat]). A cut between two lines of JSON or of a table cannot be
// seen.
//
// # Speed
//
// Measured side by side with encoding/json into a struct, a vLLM summary decodes
// at about 0.6 of its throughput and one with per-request lists at 0.7; 1 GiB of
// AIPerf records passes through with 9 MB of heap in use:
//
//	go test -bench 'Decode|EncodingJSON' -cpu 1
//	go test -bench Stream -benchtime 1x
package results
