package main

import (
	"fmt"
	"strings"

	"example.com/servemath/kvcache"
)

// describe puts a model's groups into words.
func describe(m *kvcache.Model) modelInfo {
	out := modelInfo{
		Name: m.Name, ContextWindow: m.ContextWindow, DType: m.DType.Name, Layers: m.Layers,
		Defaults: m.Defaults, Omitted: m.Omitted,
	}
	for _, g := range m.Groups {
		out.Groups = append(out.Groups, groupInfo{g.Name, g.Layers, keeps(g), holds(g), g.Key})
	}
	return out
}

func keeps(g kvcache.Group) string {
	if len(g.Streams) == 0 {
		return "a state"
	}
	switch n := g.Tokens.N; g.Tokens.Kind {
	case kvcache.Window:
		return fmt.Sprintf("a window of %d tokens", n)
	case kvcache.Chunk:
		return fmt.Sprintf("a chunk of %d tokens", n)
	case kvcache.Every:
		return fmt.Sprintf("an entry for %d tokens", n)
	case kvcache.Encoder:
		return fmt.Sprintf("%d encoder tokens", n)
	}
	return "every token"
}

func holds(g kvcache.Group) string {
	var parts []string
	for _, s := range g.Streams {
		parts = append(parts, fmt.Sprintf("%s %d x %d", s.Name, s.Heads, s.Dim))
	}
	for _, s := range g.States {
		parts = append(parts, fmt.Sprintf("%s of %d values", s.Name, s.Values))
	}
	return strings.Join(parts, ", ")
}
