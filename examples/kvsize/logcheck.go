package main

import (
	"fmt"

	"example.com/servemath/kvcache"
)

// logCheck is a figure of an engine's log beside what this model should give.
type logCheck struct {
	kvcache.LogFigure
	Predicted string `json:"predicted,omitempty"`
}

// holdAgainstLog predicts the pool from the memory that the log says is free.
func (q *question) holdAgainstLog() []logCheck {
	out := make([]logCheck, len(q.log))
	for i, f := range q.log {
		out[i] = logCheck{f, ""}
	}
	free, tokens := q.fromLog()
	if free.Hi == 0 {
		return out
	}
	s := q.setup
	s.Engine, s.Parallel.TP = kvcache.VLLM(), q.tps[0]
	if q.formatGiven {
		s.Format = q.formats[0]
	}
	lo, err := q.model.Pool(kvcache.Bytes(free.Lo), tokens, s)
	var hi kvcache.Pool
	if err == nil {
		hi, err = q.model.Pool(kvcache.Bytes(free.Hi), tokens, s)
	}
	for i := range out {
		switch {
		case out[i].Engine != "vllm":
		case err != nil:
			out[i].Predicted = err.Error()
		default:
			out[i].Predicted = predicted(out[i].Name, lo, hi)
		}
	}
	return out
}

// fromLog is the free memory and the longest session of vLLM's log.
func (q *question) fromLog() (free kvcache.Span, tokens int) {
	tokens = max(q.model.ContextWindow, 1)
	for _, f := range q.log {
		switch {
		case f.Engine == "vllm" && f.Name == "available memory":
			free = f.Figure
		case f.MaxTokens > 0:
			tokens = f.MaxTokens
		}
	}
	return free, tokens
}

func predicted(name string, lo, hi kvcache.Pool) string {
	switch name {
	case "pool tokens":
		return fmt.Sprintf("%d to %d tokens (older versions: %d to %d)", lo.Tokens, hi.Tokens, older(lo), older(hi))
	case "concurrency":
		return fmt.Sprintf("%.2f to %.2f sessions", lo.Concurrency, hi.Concurrency)
	case "block":
		return fmt.Sprintf("%d tokens", lo.BlockTokens)
	case "padding":
		return fmt.Sprintf("%.2f percent", lo.PaddingPercent)
	}
	return ""
}

// older is how versions before the concurrency-based figure stated the pool.
func older(p kvcache.Pool) int { return p.Blocks / p.Groups * p.BlockTokens }
