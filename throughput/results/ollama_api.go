package results

import (
	"fmt"

	"example.com/servemath/throughput"
)

// decodeOllamaAPI reads answers of /api/generate and /api/chat, one run each. A
// stream's last answer has the figures, in nanoseconds; a prompt that was cached
// has no count.
func decodeOllamaAPI(s *source) []throughput.Run {
	o := &ollamaSteps{src: s}
	complete := true
	for answer := range s.objects() {
		if complete = answer.flag("done"); complete {
			o.answer(answer)
		}
	}
	if !complete {
		s.fault("done", position{}, fmt.Errorf("%w: the last answer of the stream is missing", ErrTruncated))
	}
	return o.runs
}

func (o *ollamaSteps) answer(a object) {
	model := a.text("model")
	for _, name := range []string{"total", "load"} {
		if ns, ok := a.amount(name + "_duration"); ok {
			o.add(step{model: model, name: name, seconds: ns * nano, at: a.at})
		}
	}
	for _, part := range []struct{ name, key string }{{"prefill", "prompt_eval"}, {"generate", "eval"}} {
		count := a.count(part.key + "_count")
		ns, ok := a.amount(part.key + "_duration")
		switch {
		case count == 0 || !ok:
		case ns == 0:
			a.faultAt(part.key+"_duration", fmt.Errorf("%w: 0, for %d tokens", throughput.ErrNonPositive, count))
		default:
			o.add(step{model: model, name: part.name, count: count, rate: float64(count) / (ns * nano), at: a.at})
		}
	}
	o.flush()
}
