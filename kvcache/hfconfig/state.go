package hfconfig

import (
	"fmt"

	"example.com/servemath/kvcache"
)

// states makes a group of the states that hold anything, if any does: a
// convolution over one token looks back to nothing.
func states(name string, all ...kvcache.State) []kvcache.Group {
	g := kvcache.Group{Name: name}
	for _, s := range all {
		if s.Values > 0 {
			g.States = append(g.States, s)
		}
	}
	if g.States == nil {
		return nil
	}
	return []kvcache.Group{g}
}

// product multiplies dimensions, of which three stay below 2^63.
func product(dims ...int) int64 {
	p := int64(1)
	for _, d := range dims {
		p *= int64(d)
	}
	return p
}

// mamba1Keys name the dimensions of a Mamba layer (Gu and Dao 2023).
type mamba1Keys struct{ state, conv, expand string }

// part keeps expand x hidden channels: the inputs a convolution looks back to and
// a state of N values each.
func (k mamba1Keys) part(c *config) []kvcache.Group {
	inner := product(c.dim(k.expand), c.dim("hidden_size"))
	if inner > maxDim {
		c.fail(c.inconsistent(k.expand, fmt.Sprintf("%d inner channels", inner)))
		return nil
	}
	conv, state := int64(c.dim(k.conv)), int64(c.dim(k.state))
	return states("Mamba",
		kvcache.State{Name: "conv", Values: inner * (conv - 1), Shard: kvcache.ByChannel},
		kvcache.State{Name: "recurrent", Values: inner * state, Shard: kvcache.ByChannel})
}

// mamba2Keys name the dimensions of a Mamba 2 layer (Dao and Gu 2024).
type mamba2Keys struct {
	heads, dim, groups, state, conv string
	inner                           func(*config) int64 // channels; nil: heads x dim
	dtype                           string              // key of the recurrent state's format; "": the model's
	float32                         bool                // that format where the key is absent
}

// part keeps a matrix of dim x state values for each head, and the inputs of a
// convolution over the channels and, for each group, two vectors of state values.
func (k mamba2Keys) part(c *config) []kvcache.Group {
	heads, groups, state, conv := c.dim(k.heads), c.dim(k.groups), c.dim(k.state), c.dim(k.conv)
	dim := k.headDim(c, heads)
	perGroup := product(2, state, conv-1)
	if perGroup > maxTokens {
		c.fail(c.inconsistent(k.conv, fmt.Sprintf("%d, with %s=%d, is out of range", conv, k.state, state)))
	}
	if c.err != nil {
		return nil
	}
	return states("Mamba 2",
		kvcache.State{
			Name: "conv", Values: product(heads, dim, conv-1) + int64(groups)*perGroup,
			Shard: kvcache.ByHead, Heads: heads, Groups: groups, PerGroup: int(perGroup),
		},
		kvcache.State{Name: "recurrent", Values: product(heads, dim, state), Format: k.format(c), Shard: kvcache.ByHead, Heads: heads})
}

// headDim is the channels of a head: given, or "auto", which shares the inner
// channels out. Given both ways they must agree.
func (k mamba2Keys) headDim(c *config, heads int) int {
	if k.inner == nil {
		return c.dim(k.dim)
	}
	inner := k.inner(c)
	if inner > maxDim || heads > 0 && inner%int64(heads) != 0 {
		c.fail(c.inconsistent(k.heads, fmt.Sprintf("%d heads share %d inner channels", heads, inner)))
	}
	if c.err != nil {
		return 0
	}
	dim := int(inner) / heads
	n, ok := c.value(k.dim)
	if s, _ := n.Str(); ok && s != "auto" && c.dim(k.dim) != dim {
		c.fail(c.inconsistent(k.dim, fmt.Sprintf("is %s, but %d heads share %d inner channels", describe(n), heads, inner)))
	}
	if !ok {
		c.classDefault(k.dim, "auto")
	}
	return dim
}

func (k mamba2Keys) format(c *config) kvcache.Format {
	if k.dtype == "" {
		return kvcache.Format{}
	}
	f := c.stateFormat(k.dtype)
	if _, ok := c.value(k.dtype); !ok && k.float32 {
		c.classDefault(k.dtype, "float32")
		return kvcache.FP32
	}
	return f
}

// expanded is the inner channels: a factor times the hidden values.
func expanded(factor string) func(*config) int64 {
	return func(c *config) int64 { return product(c.dim(factor), c.dim("hidden_size")) }
}

// deltaKeys are the cache-shaping keys of the gated delta rule.
var deltaKeys = []string{
	"linear_num_key_heads", "linear_num_value_heads", "linear_key_head_dim", "linear_value_head_dim", "linear_conv_kernel_dim",
	"mamba_ssm_dtype",
}

// delta keeps a matrix for each value head and the inputs of a convolution over
// queries, keys and values (Yang, Kautz and Hatamizadeh 2024, Gated DeltaNet).
func delta(c *config) []kvcache.Group {
	nk, dk := c.dim("linear_num_key_heads"), c.dim("linear_key_head_dim")
	nv, dv := c.dim("linear_num_value_heads"), c.dim("linear_value_head_dim")
	back := c.dim("linear_conv_kernel_dim") - 1
	if c.err == nil && nv%nk != 0 {
		c.fail(c.inconsistent("linear_num_key_heads", fmt.Sprintf("%d key heads do not divide %d value heads", nk, nv)))
	}
	return states("gated delta",
		kvcache.State{Name: "conv", Values: 2*product(nk, dk, back) + product(nv, dv, back), Shard: kvcache.ByHead, Heads: nk},
		kvcache.State{Name: "recurrent", Values: product(nv, dv, dk), Format: c.stateFormat("mamba_ssm_dtype"), Shard: kvcache.ByHead, Heads: nv})
}

// kimiDelta is Kimi delta attention: as many key as value heads, and a matrix
// that is always kept in FP32 (Kimi Team 2025, Kimi Linear).
func kimiDelta(c *config) []kvcache.Group {
	l := c.within("linear_attn_config") // which kimiLayers has found
	heads, dim := l.dim("num_heads"), l.dim("head_dim")
	return states("Kimi delta",
		kvcache.State{Name: "conv", Values: 3 * product(heads, dim, l.dim("short_conv_kernel_size")-1), Shard: kvcache.ByHead, Heads: heads},
		kvcache.State{Name: "recurrent", Values: product(heads, dim, dim), Format: kvcache.FP32, Shard: kvcache.ByHead, Heads: heads})
}

// lightning keeps a square matrix for each head (Qin et al. 2024, Lightning
// Attention-2).
func lightning(c *config) []kvcache.Group {
	heads := c.dim("num_attention_heads")
	dim := plainHeads(c)[0].Dim
	return states("lightning attention",
		kvcache.State{Name: "recurrent", Values: product(heads, dim, dim), Shard: kvcache.ByHead, Heads: heads})
}

// shortConv keeps the inputs a convolution over the hidden values looks back to.
func shortConv(c *config) []kvcache.Group {
	return states("short convolution",
		kvcache.State{Name: "conv", Values: product(c.dim("hidden_size"), c.dim("conv_L_cache")-1), Shard: kvcache.ByChannel})
}

// rglru is the real-gated linear recurrent unit (De et al. 2024, Griffin): one
// value a channel, always in FP32, behind a convolution.
func rglru(c *config) []kvcache.Group {
	width := c.dimOr("lru_width", func() int { return c.dim("hidden_size") }, "hidden_size")
	return states("RG-LRU",
		kvcache.State{Name: "conv", Values: product(width, c.dim("conv1d_width")-1), Shard: kvcache.ByChannel},
		kvcache.State{Name: "recurrent", Values: int64(width), Format: kvcache.FP32, Shard: kvcache.ByChannel})
}

// rwkv4 keeps, for each channel, the last input of both halves of a layer, and
// numerator, denominator and exponent of the average in FP32 (Peng et al. 2023).
func rwkv4(c *config) []kvcache.Group {
	hidden := c.dim("hidden_size")
	inner := c.dimOr("attention_hidden_size", func() int { return hidden }, "hidden_size")
	return states("RWKV",
		kvcache.State{Name: "token shift", Values: product(2, hidden), Shard: kvcache.Replicated},
		kvcache.State{Name: "recurrent", Values: product(3, inner), Format: kvcache.FP32, Shard: kvcache.Replicated})
}
