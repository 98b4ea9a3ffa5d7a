package results

import (
	"fmt"

	"example.com/servemath/throughput"
)

// batchedColumns are the Markdown titles of the JSON keys.
var batchedColumns = map[string]string{
	"pp": "PP", "tg": "TG", "pl": "B", "t": "T s", "speed_pp": "S_PP t/s", "speed_tg": "S_TG t/s", "speed": "S t/s",
}

// decodeBatchedBench reads a line of llama-batched-bench -o jsonl: rates over all
// sequences, measured once. t_pp is the batch's prefill, not a request's TTFT,
// and is not read as one.
func decodeBatchedBench(o object, r *run) {
	const tool = "llama-batched-bench"
	r.Key.Engine = "llama.cpp"
	r.Key.Setup = fmt.Sprintf("pp%d tg%d", o.count("pp"), o.count("tg"))
	r.Load.Concurrency = int(o.count("pl"))
	r.Workload.PromptTokensAsked, r.Workload.OutputTokensAsked = o.count("pp"), o.count("tg")
	r.Workload.Completed = o.count("pl")
	r.duration(o, "t", second)
	r.total(throughput.PrefillRate, tool, o, "speed_pp")
	r.total(throughput.DecodeRate, tool, o, "speed_tg")
	r.total(throughput.MixedRate, tool, o, "speed")
	if o.flag("is_pp_shared") {
		r.warn("the sequences share one prompt: the prefill rate counts it once")
	}
}

// decodeBatchedBenchMarkdown reads the default table.
func decodeBatchedBenchMarkdown(s *source) (runs []throughput.Run) {
	if s.endsInside(closedRow) {
		return nil
	}
	for o := range s.tables("PP", "TG", "S_PP t/s", "S_TG t/s") {
		named := object{src: s, at: o.at, cells: map[string]string{}}
		for key, title := range batchedColumns {
			named.cells[key] = o.cells[title]
		}
		r := newRun(s)
		decodeBatchedBench(named, r)
		runs = append(runs, r.Run)
	}
	return runs
}
