package results

import (
	"fmt"

	"example.com/servemath/throughput"
)

// detail reads the per-request lists of vLLM and SGLang, in seconds, by metric.
// Failed requests stand in the lists as zeros and are left out.
func detail(o object, r *run) map[throughput.Metric]*series {
	lens, ttfts := o.numbers("output_lens"), o.numbers("ttfts")
	if lens == nil || ttfts == nil {
		return nil
	}
	if len(ttfts) != len(lens) {
		o.faultAt("ttfts", fmt.Errorf("%d entries beside %d of output_lens", len(ttfts), len(lens)))
		return nil
	}
	ok := succeeded(o, lens)
	seen := map[throughput.Metric]*series{throughput.TTFT: {}, throughput.TPOT: {}, throughput.ITL: {}, throughput.E2E: {}}
	for i, t := range ttfts {
		if ok[i] {
			seen[throughput.TTFT].add(t)
		}
	}
	gaps(o, ok, seen[throughput.ITL])
	whole(o, ttfts, lens, ok, seen)
	if n := seen[throughput.TTFT].n; int64(n) != r.Workload.Completed {
		r.warn("the lists hold %d successful requests, completed says %d", n, r.Workload.Completed)
	}
	return seen
}

// succeeded tells which requests did: those with output and without an error.
func succeeded(o object, lens []float64) []bool {
	ok := make([]bool, len(lens))
	for i, n := range lens {
		ok[i] = n > 0
	}
	n, _ := o.node.Get("errors")
	for i, e := range n.Items() {
		if i < len(ok) && e.Text() != "" && e.Text() != "null" {
			ok[i] = false
		}
	}
	return ok
}

// gaps pools the gaps of successful requests.
func gaps(o object, ok []bool, s *series) {
	n, _ := o.node.Get("itls")
	total := 0
	for _, request := range n.Items() {
		total += request.Len()
	}
	s.expect(total)
	for i, request := range n.Items() {
		if i >= len(ok) || !ok[i] {
			continue
		}
		items := request.Items()
		for j := range items {
			x, err := element(&items[j])
			if err != nil {
				o.fault(fmt.Sprintf("itls[%d][%d]", i, j), position{offset: items[j].Offset}, err)
				return
			}
			s.add(x)
		}
	}
}

// whole adds each request's latency and, by the tools' own definition, its TPOT.
func whole(o object, ttfts, lens []float64, ok []bool, seen map[throughput.Metric]*series) {
	ends := o.numbers("latencies")
	if len(ends) != len(lens) {
		return
	}
	for i, end := range ends {
		if !ok[i] {
			continue
		}
		if end < ttfts[i] {
			o.faultAt("latencies", fmt.Errorf("request %d ends before its first token", i))
			return
		}
		seen[throughput.E2E].add(end)
		if lens[i] > 1 {
			seen[throughput.TPOT].add((end - ttfts[i]) / (lens[i] - 1))
		}
	}
}
