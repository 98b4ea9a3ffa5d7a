package kvcache_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/kvcache"
)

// explorerRow is a published row: how a model is served, and what its memory
// holds where memory decided.
type explorerRow struct {
	ID         string `json:"id"`
	ModelKey   string `json:"model_key"`
	Hardware   string
	TP, PP, DP int
	WeightsGB  json.Number `json:"weights_gb"`
	Limits     explorerLimits
	Published  struct{ Chat, Agentic *int }
}

type explorerLimits struct {
	Chat          string `json:"chat_limit"`
	Agentic       string `json:"agentic_limit"`
	ChatMemory    *int   `json:"chat_memory"`
	AgenticMemory *int   `json:"agentic_memory"`
}

// explorerGroup is a layer group as published, one kind a group.
type explorerGroup struct {
	Kind            string
	Layers          int
	KVHeads         int `json:"kv_heads"`
	KDim            int `json:"k_dim"`
	VDim            int `json:"v_dim"`
	Window          int
	ValuesPerToken  float64 `json:"values_per_token"`
	Values          int
	Dim, Pool       int
	Ratio           int
	Latent, Index   int
	Heads           int
	RecurrentValues int64 `json:"recurrent_values"`
	ConvChannels    int64 `json:"conv_channels"`
	ConvPositions   int64 `json:"conv_positions"`
}

func (g explorerGroup) group(t *testing.T) kvcache.Group {
	all := kvcache.TokenRule{Kind: kvcache.All}
	window := kvcache.TokenRule{Kind: kvcache.Window, N: g.Window}
	out := kvcache.Group{Name: g.Kind, Key: "groups", Layers: g.Layers, Tokens: all}
	kv := []kvcache.Stream{
		{Name: "k", Heads: g.KVHeads, Dim: g.KDim},
		{Name: "v", Heads: g.KVHeads, Dim: g.VDim},
	}
	switch g.Kind {
	case "attention":
		out.Streams = kv
	case "sliding":
		out.Streams, out.Tokens = kv, window
	case "latent":
		out.Streams = copied("latent", int(g.ValuesPerToken))
	case "index":
		out.Streams, out.Tokens = copied("index", g.Dim), kvcache.TokenRule{Kind: kvcache.Every, N: g.Pool}
	case "compressed":
		out.Streams, out.Tokens = copied("latent", g.Latent), kvcache.TokenRule{Kind: kvcache.Every, N: g.Ratio}
		if g.Index > 0 {
			out.Streams = append(out.Streams, copied("index", g.Index)...)
		}
	case "sliding-latent":
		out.Streams, out.Tokens = copied("latent", g.Values), window
	case "state":
		out.States = []kvcache.State{
			{Name: "recurrent", Values: g.RecurrentValues, Format: kvcache.FP32, Heads: g.Heads},
			{Name: "conv", Values: g.ConvChannels * g.ConvPositions, Format: kvcache.BF16, Heads: g.Heads},
		}
	default:
		t.Fatalf("group kind %q", g.Kind)
	}
	return out
}

func copied(name string, dim int) []kvcache.Stream {
	return []kvcache.Stream{{Name: name, Heads: 1, Dim: dim, Shard: kvcache.Replicated}}
}

func explorerModels(t *testing.T) map[string]*kvcache.Model {
	var raw map[string]struct {
		Name    string
		Context int
		Groups  []explorerGroup
	}
	testkit.ReadJSON(t, filepath.Join("..", "testdata", "explorer_models.json"), &raw)
	models := make(map[string]*kvcache.Model, len(raw))
	for key, r := range raw {
		m := &kvcache.Model{Name: r.Name, ContextWindow: r.Context, DType: kvcache.BF16}
		for _, g := range r.Groups {
			m.Groups = append(m.Groups, g.group(t))
		}
		models[key] = m
	}
	return models
}

// The memory of one device, in the data sheets' decimal GB.
var explorerDevices = map[string]kvcache.Device{
	"DGX B300":     {Name: "B300", Memory: 288 * kvcache.GB},
	"RTX PRO 6000": {Name: "RTX PRO 6000", Memory: 96 * kvcache.GB},
	"DGX Spark":    {Name: "DGX Spark", Memory: 128 * kvcache.GB, Unified: true},
	"Thor":         {Name: "Thor", Memory: 128 * kvcache.GB, Unified: true},
}

// Two published contexts.
const chatTokens, agenticTokens = 16384, 65536

func (r explorerRow) occupancy(t *testing.T, models map[string]*kvcache.Model, tokens int) kvcache.Occupancy {
	t.Helper()
	weights, err := kvcache.ParseBytes(string(r.WeightsGB) + "GB")
	require.NoError(t, err, r.ID)
	budget := kvcache.Budget{Device: explorerDevices[r.Hardware], Weights: weights}
	setup := kvcache.Setup{StateCopies: 2, Parallel: kvcache.Parallel{TP: r.TP, PP: r.PP, DP: r.DP}}
	m := models[r.ModelKey]
	require.NotNil(t, m, "%s: model %q", r.ID, r.ModelKey)
	o, err := m.Sessions(tokens, budget, setup)
	require.NoError(t, err, r.ID)
	return o
}

// TestExplorer reproduces every published figure that memory decided, and every
// memory capacity of the other rows as the published rules give it.
func TestExplorer(t *testing.T) {
	models := explorerModels(t)
	var rows []explorerRow
	testkit.ReadJSON(t, filepath.Join("..", "testdata", "explorer_rows.json"), &rows)
	decided, rowsDecided, matched, computed := 0, 0, 0, 0
	for _, r := range rows {
		before := decided
		for _, c := range []struct {
			name, limit       string
			tokens            int
			published, memory *int
		}{
			{"chat", r.Limits.Chat, chatTokens, r.Published.Chat, r.Limits.ChatMemory},
			{"agentic", r.Limits.Agentic, agenticTokens, r.Published.Agentic, r.Limits.AgenticMemory},
		} {
			o := r.occupancy(t, models, c.tokens)
			if c.memory == nil {
				require.Equal(t, kvcache.WeightsDoNotFit, o.Status, "%s %s", r.ID, c.name)
				continue
			}
			computed++
			require.Equal(t, kvcache.OK, o.Status, "%s %s", r.ID, c.name)
			require.Equal(t, *c.memory, o.Sessions, "%s %s\n%s", r.ID, c.name, o.Explain())
			if c.limit == "memory" {
				decided++
				if *c.published == o.Sessions {
					matched++
				}
			}
		}
		if decided > before {
			rowsDecided++
		}
	}
	t.Logf("%d of %d memory-limited figures in %d rows; %d memory capacities in all", matched, decided, rowsDecided, computed)
	require.Equal(t, 35, rowsDecided)
	require.Equal(t, 65, decided)
	require.Equal(t, 65, matched)
	require.Len(t, rows, 103)
}
