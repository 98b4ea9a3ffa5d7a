package kvcache_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

func tp(n int) kvcache.Parallel { return kvcache.Parallel{TP: n} }

// Each figure is the literal expression beside it, or a published one.
func TestSession(t *testing.T) {
	for _, c := range []struct {
		model           *kvcache.Model
		tokens          int
		setup           kvcache.Setup
		session, device kvcache.Bytes
		origin          string
	}{
		{llama8B(), 16384, kvcache.Setup{}, 1073741824, 1073741824, "32*8*256 * n"},
		{llama8B(), 2048, kvcache.Setup{Format: kvcache.FP16}, 256 << 20, 256 << 20, "256 MiB published (HF dranger003, discussion 6)"},
		{llama8B(), 16384, kvcache.Setup{Parallel: tp(16)}, 1073741824, 134217728, "heads copied: 32*1*256 * n"},
		{llama8B(), 16384, kvcache.Setup{Format: kvcache.Q8_0}, 1140850688, 1140850688, "32*8*256*34/32 * n"},
		{model("Llama-3.1-405B", 131072, attention(126, 8, 128, 128)), 131072, kvcache.Setup{Format: kvcache.BF16, Parallel: tp(8)}, 67645734912, 8455716864, "516,096 B a token (DeepSeek-V3 ISCA table)"},
		{model("gpt-oss-120b", 131072, attention(18, 8, 64, 64), sliding(18, 8, 64, 128)), 100, kvcache.Setup{}, 3686400, 3686400, "36*8*128 * 100: the window is not full"},
		{model("gpt-oss-120b", 131072, attention(18, 8, 64, 64), sliding(18, 8, 64, 128)), 65536, kvcache.Setup{}, 1210318848, 1210318848, "18*8*128*n + 18*8*128*128"},
		{model("MiMo", 0, attention(10, 8, 192, 128)), 1, kvcache.Setup{}, 25600, 25600, "10*8*(192+128)"},
		{model("DeepSeek-V3", 163840, latent(61, 576)), 163840, kvcache.Setup{Format: kvcache.BF16, Parallel: tp(8)}, 11513364480, 11513364480, "10.72 GiB at 160k, the same on every rank (unsloth PR 4757)"},
		{model("GLM-5.2", 1048576, latent(78, 576), index(21)), 16384, kvcache.Setup{Parallel: tp(4)}, 780140544, 780140544, "(78*576 + 21*128) * n"},
		{qwen35(), 16384, kvcache.Setup{}, 690814976, 690814976, "16*4*512*n + 48*(10240*3*2 + 48*128*128*4)"},
		{qwen35(), 65536, kvcache.Setup{StateCopies: 2, Parallel: tp(4)}, 2455371776, 613842944, "two copies of the state, all of it divided"},
		{ultra(), 65536, kvcache.Setup{Parallel: tp(8)}, 810614784, 252321792, "12*1*256*n + 48*((16384+2*8*128)*3*2 + 256*64*128*4)/8"},
		{ultra(), 65536, kvcache.Setup{Parallel: tp(16)}, 810614784, 226861056, "16 groups for 16 ranks: 48*((16384+2*16*128)*3*2/16 + ...)"},
		{deepSeekV4("DeepSeek-V4-Flash", 21, 20, 43), 16384, kvcache.Setup{Parallel: tp(4), StateCopies: 2}, 71385088, 71385088, "the compressor's state once"},
		{deepSeekV4("DeepSeek-V4-Pro", 30, 31, 61), 65536, kvcache.Setup{Format: kvcache.BF16}, 672104448, 672104448, "30*640*2*(n//4) + 31*512*2*(n//128) + windows + state"},
		{llama8B(), 100, kvcache.Setup{Parallel: kvcache.Parallel{PP: 3}}, 6553600, 2184534, "layers divided exactly, rounded up"},
		{model("V3 DCP", 0, latent(61, 576)), 1001, kvcache.Setup{Parallel: kvcache.Parallel{TP: 8, DCP: 8}}, 35171136, 61 * 576 * 126, "ceil(1001/8) tokens on each rank"},
		{model("Whisper-tiny", 448, attention(4, 6, 64, 64), kvcache.Group{
			Name: "cross", Layers: 4, Tokens: kvcache.TokenRule{Kind: kvcache.Encoder, N: 1500},
			Streams: []kvcache.Stream{{Name: "k", Heads: 6, Dim: 64}, {Name: "v", Heads: 6, Dim: 64}},
		}), 1, kvcache.Setup{Format: kvcache.FP16}, 4*6*128*2 + 4*6*128*2*1500, 4*6*128*2 + 4*6*128*2*1500, "cross attention over 1500 frames"},
	} {
		name := fmt.Sprintf("%s at %d: %s", c.model.Name, c.tokens, c.origin)
		f, err := c.model.Session(c.tokens, c.setup)
		if !assert.NoError(t, err, name) {
			continue
		}
		assert.Equal(t, c.session, f.Session, name)
		assert.Equal(t, c.device, f.PerDevice, name)
	}
}

// Without what blocks add, an engine's packed formats give the literal sums: 656
// bytes a latent and 132 an index; 584 an entry of DeepSeek V4.
func TestPackedFormats(t *testing.T) {
	perTensor := kvcache.VLLM()
	perTensor.Packings[0].Format = kvcache.Format{}
	flash, pro := deepSeekV4("DeepSeek-V4-Flash", 21, 20, 43), deepSeekV4("DeepSeek-V4-Pro", 30, 31, 61)
	for _, c := range []struct {
		model   *kvcache.Model
		tokens  int
		engines []kvcache.Engine
		want    kvcache.Bytes
		origin  string
	}{
		{deepSeek32(), 16384, []kvcache.Engine{kvcache.VLLM(), kvcache.SGLang()}, 787546112, "(61*656 + 61*132) * n"},
		{deepSeek32(), 16384, []kvcache.Engine{perTensor}, 707592192, "(61*576 + 61*132) * n"},
		{glm52(), 16384, []kvcache.Engine{kvcache.VLLM()}, 883752960, "(78*656 + 21*132) * n"},
		{glm52(), 16384, []kvcache.Engine{kvcache.SGLang()}, 78 * (656 + 132) * 16384, "an index on every layer"},
		{flash, 16384, []kvcache.Engine{kvcache.VLLM(), kvcache.SGLang()}, 78502912, "21*(584+132)*(n/4) + 20*584*(n/128) + 43*584*128 + state"},
		{flash, 1048576, []kvcache.Engine{kvcache.VLLM()}, 4052700160, "the same"},
		{pro, 65536, []kvcache.Engine{kvcache.VLLM()}, 384467968, "30*(584+132)*(n/4) + 31*584*(n/128) + 61*584*128 + state"},
	} {
		for _, e := range c.engines {
			f := session(t, c.model, c.tokens, kvcache.Setup{Engine: e, Format: kvcache.FP8, Parallel: tp(4)})
			require.Equal(t, c.want, f.Session-f.Rounding, "%s, %s: %s", c.model.Name, e.Name, c.origin)
			require.GreaterOrEqual(t, f.PerDevice, f.Session-f.Rounding, "latents are copied")
		}
	}
	// A packed format is the layout of one vector and holds no other.
	var shape *kvcache.ShapeError
	_, err := deepSeek32().Session(1, kvcache.Setup{Format: kvcache.FP8DSMLA})
	require.ErrorAs(t, err, &shape)
	f := session(t, deepSeek32(), 64, kvcache.Setup{Engine: kvcache.VLLM(), Format: kvcache.FP8DSMLA})
	require.EqualValues(t, 64*61*(656+132), f.Session)
}

func TestSessionSplits(t *testing.T) {
	f, err := deepSeekV4("DeepSeek-V4-Flash", 21, 20, 43).Session(16384, kvcache.Setup{})
	require.NoError(t, err)
	require.EqualValues(t, 21*640*4096+20*512*128, f.Growing)
	require.EqualValues(t, 43*512*128, f.Window)
	require.EqualValues(t, 21*(8*2048*4+8*512*4)+20*(128*1024*4), f.State)
	require.Zero(t, f.Rounding)
	require.Equal(t, kvcache.Part{Group: "compressed", Stream: "index", Key: "compress_ratios", Rule: "one entry for N tokens", Bytes: 21 * 128 * 4096}, f.Parts[1])
}

// A state takes the setup's format, else its own, else the model's.
func TestStateFormat(t *testing.T) {
	m := qwen35()
	for _, c := range []struct {
		setup kvcache.Setup
		want  kvcache.Bytes
	}{
		{kvcache.Setup{}, 48 * (30720*2 + 786432*4)},
		{kvcache.Setup{StateFormat: kvcache.FP32}, 48 * (30720*4 + 786432*4)},
		{kvcache.Setup{StateFormat: kvcache.BF16}, 48 * (30720*2 + 786432*2)},
		{kvcache.Setup{SpeculativeTokens: 3}, 48 * (30720*2 + 786432*4)},
	} {
		f, err := m.Session(1, c.setup)
		require.NoError(t, err)
		require.Equal(t, c.want, f.State)
	}
}

func TestSessionWarnsBeyondWindow(t *testing.T) {
	f, err := llama8B().Session(131073, kvcache.Setup{})
	require.NoError(t, err)
	require.Len(t, f.Warnings, 1)
	require.ErrorIs(t, f.Warnings[0], kvcache.ErrBeyondWindow)
	require.EqualValues(t, int64(131073*65536), f.Session)
	f, err = llama8B().Session(131072, kvcache.Setup{})
	require.NoError(t, err)
	require.Empty(t, f.Warnings)
}

func TestSessionRefusesTokens(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		_, err := llama8B().Session(n, kvcache.Setup{})
		require.ErrorIs(t, err, kvcache.ErrTokens)
	}
	_, err := llama8B().Session(math.MaxInt, kvcache.Setup{})
	require.ErrorIs(t, err, kvcache.ErrOverflow)
	if strconv.IntSize == 32 {
		return
	}
	tokens := int64(1e14)
	_, err = model("405B", 0, attention(126, 8, 128, 128)).Session(int(tokens), kvcache.Setup{Format: kvcache.BF16})
	require.ErrorIs(t, err, kvcache.ErrOverflow)
	tokens = 1e12
	f, err := llama8B().Session(int(tokens), kvcache.Setup{})
	require.NoError(t, err)
	require.EqualValues(t, 65536*tokens, f.Session, "exact as long as it fits")
}

// Every shape that cannot be is refused by name.
func TestShapeErrors(t *testing.T) {
	change := func(edit func(g *kvcache.Group)) *kvcache.Model {
		g := attention(32, 8, 128, 128)
		g.States = []kvcache.State{{Name: "conv", Values: 96, Heads: 8}}
		edit(&g)
		return model("m", 0, g)
	}
	for name, c := range map[string]struct {
		model *kvcache.Model
		setup kvcache.Setup
	}{
		"no groups":         {model: &kvcache.Model{}},
		"negative window":   {model: &kvcache.Model{ContextWindow: -1, Groups: []kvcache.Group{latent(1, 1)}}},
		"no layers":         {model: change(func(g *kvcache.Group) { g.Layers = 0 })},
		"negative layers":   {model: change(func(g *kvcache.Group) { g.Layers = -3 })},
		"places":            {model: change(func(g *kvcache.Group) { g.At = []int{1, 2} })},
		"too many layers":   {model: change(func(g *kvcache.Group) { g.Layers = 1 << 30 })},
		"layer twice":       {change(func(g *kvcache.Group) { g.Layers, g.At = 2, []int{1, 1} }), kvcache.Setup{Parallel: kvcache.Parallel{PP: 2}}},
		"layer below 0":     {change(func(g *kvcache.Group) { g.Layers, g.At = 1, []int{-1} }), kvcache.Setup{Parallel: kvcache.Parallel{PP: 2}}},
		"engine rule":       {llama8B(), kvcache.Setup{Engine: kvcache.Engine{BlockTokens: -1}}},
		"engine state":      {llama8B(), kvcache.Setup{Engine: kvcache.Engine{StateFormats: []kvcache.StateFormat{{Name: "conv"}}}}},
		"engine packing":    {llama8B(), kvcache.Setup{Engine: kvcache.Engine{Packings: []kvcache.Packing{{Stream: "k", PageAlign: -1}}}}},
		"no model format":   {&kvcache.Model{Groups: []kvcache.Group{latent(1, 1)}}, kvcache.Setup{Engine: kvcache.VLLM()}},
		"nothing kept":      {model: change(func(g *kvcache.Group) { g.Streams, g.States = nil, nil })},
		"zero heads":        {model: change(func(g *kvcache.Group) { g.Streams[0].Heads = 0 })},
		"negative heads":    {model: change(func(g *kvcache.Group) { g.Streams[1].Heads = -8 })},
		"zero dim":          {model: change(func(g *kvcache.Group) { g.Streams[0].Dim = 0 })},
		"stream format":     {model: change(func(g *kvcache.Group) { g.Streams[0].Format = kvcache.Format{Name: "x", BlockBytes: 1} })},
		"stream shard":      {model: change(func(g *kvcache.Group) { g.Streams[0].Shard = 9 })},
		"zero window":       {model: change(func(g *kvcache.Group) { g.Tokens = kvcache.TokenRule{Kind: kvcache.Window} })},
		"negative ratio":    {model: change(func(g *kvcache.Group) { g.Tokens = kvcache.TokenRule{Kind: kvcache.Every, N: -4} })},
		"token kind":        {model: change(func(g *kvcache.Group) { g.Tokens.Kind = 17 })},
		"zero values":       {model: change(func(g *kvcache.Group) { g.States[0].Values = 0 })},
		"state shard":       {model: change(func(g *kvcache.Group) { g.States[0].Shard = -1 })},
		"state heads":       {model: change(func(g *kvcache.Group) { g.States[0].Heads = -1 })},
		"state format":      {model: change(func(g *kvcache.Group) { g.States[0].Format = kvcache.Format{BlockValues: -1} })},
		"groups too large":  {model: change(func(g *kvcache.Group) { g.States[0].Groups, g.States[0].PerGroup = 8, 100 })},
		"no element format": {model: &kvcache.Model{Groups: []kvcache.Group{mamba2(1, 8, 64, 1, 64)}}},
		"TP 3":              {llama8B(), kvcache.Setup{Parallel: tp(3)}},
		"TP 12":             {llama8B(), kvcache.Setup{Parallel: tp(12)}},
		"TP negative":       {llama8B(), kvcache.Setup{Parallel: tp(-2)}},
		"PP negative":       {llama8B(), kvcache.Setup{Parallel: kvcache.Parallel{PP: -1}}},
		"DP too large":      {llama8B(), kvcache.Setup{Parallel: kvcache.Parallel{DP: 1 << 20}}},
		"DCP of GQA":        {llama8B(), kvcache.Setup{Parallel: kvcache.Parallel{TP: 8, DCP: 2}}},
		"DCP beyond TP":     {model("V3", 0, latent(61, 576)), kvcache.Setup{Parallel: kvcache.Parallel{TP: 4, DCP: 8}}},
		"DCP of a window":   {model("m", 0, sliding(1, 1, 8, 8)), kvcache.Setup{Parallel: kvcache.Parallel{TP: 8, DCP: 2}}},
		"TP of state heads": {qwen35(), kvcache.Setup{Parallel: tp(12)}},
		"TP of groups":      {ultra(), kvcache.Setup{Parallel: tp(3)}},
		"channels": {model("m", 0, kvcache.Group{Name: "g", Layers: 1, States: []kvcache.State{
			{Name: "conv", Values: 100, Shard: kvcache.ByChannel}}}), kvcache.Setup{Parallel: tp(8)}},
		"stream channels": {model("m", 0, kvcache.Group{Name: "g", Layers: 1, Streams: []kvcache.Stream{
			{Name: "k", Heads: 1, Dim: 100, Shard: kvcache.ByChannel}}}), kvcache.Setup{Parallel: tp(8)}},
		"cache format":      {llama8B(), kvcache.Setup{Format: kvcache.Format{Name: "odd", BlockValues: 1}}},
		"state format asks": {qwen35(), kvcache.Setup{StateFormat: kvcache.Format{Name: "odd", BlockBytes: 1}}},
		"state copies":      {qwen35(), kvcache.Setup{StateCopies: -1}},
		"speculative":       {qwen35(), kvcache.Setup{SpeculativeTokens: -1}},
	} {
		var shape *kvcache.ShapeError
		f, err := c.model.Session(10, c.setup)
		assert.ErrorAs(t, err, &shape, name)
		assert.Zero(t, f, name)
		_, err = c.model.MaxTokens(kvcache.GB, c.setup)
		assert.ErrorAs(t, err, &shape, name)
		_, err = c.model.Sessions(10, kvcache.Budget{Device: kvcache.Device{Memory: kvcache.GB}}, c.setup)
		assert.ErrorAs(t, err, &shape, name)
	}
}

// randomModel makes any valid model of a few groups.
func randomModel(r *rand.Rand) *kvcache.Model {
	formats := []kvcache.Format{{}, kvcache.FP8, kvcache.BF16, kvcache.Q4_0, kvcache.NVFP4, kvcache.FP8PerTokenHead}
	format := func() kvcache.Format { return formats[r.IntN(len(formats))] }
	shard := func() kvcache.Shard { return kvcache.Shard(r.IntN(3)) }
	m := &kvcache.Model{DType: kvcache.BF16}
	for range 1 + r.IntN(4) {
		g := kvcache.Group{
			Name: "g", Layers: 1 + r.IntN(80),
			Tokens: kvcache.TokenRule{Kind: kvcache.TokenKind(r.IntN(5)), N: 1 + r.IntN(300)},
		}
		for range 1 + r.IntN(2) {
			g.Streams = append(g.Streams, kvcache.Stream{Name: "k", Heads: 1 << r.IntN(5), Dim: 8 * (1 + r.IntN(64)), Format: format(), Shard: shard()})
		}
		for range r.IntN(3) {
			g.States = append(g.States, kvcache.State{Name: "s", Values: int64(64 * (1 + r.IntN(2000))), Format: format(), Shard: shard(), Heads: 1 << r.IntN(7), Once: r.IntN(4) == 0})
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

// slowSession is the definition in big integers, undivided.
func slowSession(m *kvcache.Model, n int, s kvcache.Setup) *big.Int {
	pick := func(fs ...kvcache.Format) kvcache.Format {
		for _, f := range fs {
			if f != (kvcache.Format{}) {
				return f
			}
		}
		return kvcache.FP8
	}
	row := func(f kvcache.Format, values int64) *big.Int {
		blocks := new(big.Int).SetInt64((values + f.BlockValues - 1) / f.BlockValues)
		return blocks.Mul(blocks, big.NewInt(f.BlockBytes)).Add(blocks, big.NewInt(f.RowBytes))
	}
	total := new(big.Int)
	add := func(x *big.Int, times ...int) {
		for _, k := range times {
			x.Mul(x, big.NewInt(int64(k)))
		}
		total.Add(total, x)
	}
	for _, g := range m.Groups {
		kept := map[kvcache.TokenKind]int{
			kvcache.All: n, kvcache.Window: min(n, g.Tokens.N), kvcache.Chunk: min(n, g.Tokens.N),
			kvcache.Every: n / max(g.Tokens.N, 1), kvcache.Encoder: g.Tokens.N,
		}[g.Tokens.Kind]
		for _, st := range g.Streams {
			add(row(pick(st.Format, s.Format), int64(st.Dim)), g.Layers, st.Heads, kept)
		}
		for _, st := range g.States {
			copies := max(s.StateCopies, 1)
			if st.Once {
				copies = 1
			}
			add(row(pick(s.StateFormat, st.Format, m.DType), st.Values), g.Layers, copies)
		}
	}
	return total
}

// checkProperties holds for any model and setup that Session accepts.
func checkProperties(t *testing.T, m *kvcache.Model, n int, s kvcache.Setup) {
	f, err := m.Session(n, s)
	require.NoError(t, err)
	require.Equal(t, slowSession(m, n, s).String(), fmt.Sprint(int64(f.Session-f.Rounding)), "slow twin")
	require.Equal(t, f.Session, f.Growing+f.Window+f.State+f.Rounding)
	var parts kvcache.Bytes
	for _, p := range f.Parts {
		parts += p.Bytes
	}
	require.Equal(t, f.Session, parts, "parts sum")
	ranks := kvcache.Bytes(max(s.Parallel.TP, 1) * max(s.Parallel.PP, 1))
	require.GreaterOrEqual(t, f.PerDevice*ranks, f.Session, "ranks hold the session")
	more, err := m.Session(n+1, s)
	require.NoError(t, err)
	require.GreaterOrEqual(t, more.Session, f.Session, "monotone")
	require.GreaterOrEqual(t, more.PerDevice, f.PerDevice, "monotone")
}

func TestSessionProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	done := 0
	for range 4000 {
		m := randomModel(r)
		s := kvcache.Setup{
			Parallel:    kvcache.Parallel{TP: 1 << r.IntN(4), PP: 1 + r.IntN(4)},
			StateCopies: r.IntN(3),
		}
		if _, err := m.Session(1, s); err != nil {
			continue // does not divide
		}
		done++
		checkProperties(t, m, 1+r.IntN(1<<r.IntN(20)), s)
	}
	require.Greater(t, done, 2000)
}

// MaxTokens is the inverse of Session: it fits, and one more token does not.
func TestMaxTokensProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		m := randomModel(r)
		if r.IntN(2) == 0 {
			m.ContextWindow = 1 + r.IntN(1<<17)
		}
		budget := kvcache.Bytes(r.Int64N(1 << (20 + r.IntN(20))))
		n, err := m.MaxTokens(budget, kvcache.Setup{})
		require.NoError(t, err)
		if n > 0 {
			f, err := m.Session(n, kvcache.Setup{})
			require.NoError(t, err)
			require.LessOrEqual(t, f.PerDevice, budget)
		}
		if n == m.ContextWindow && n > 0 || n == math.MaxInt {
			continue
		}
		f, err := m.Session(n+1, kvcache.Setup{})
		require.NoError(t, err)
		require.Greater(t, f.PerDevice, budget)
	}
}

func TestMaxTokens(t *testing.T) {
	for _, c := range []struct {
		model  *kvcache.Model
		budget kvcache.Bytes
		want   int
		origin string
	}{
		{model("m", 0, attention(32, 8, 128, 128)), 50_080_000_000, 764160, "50.08 GB / 65,536 B"},
		{llama8B(), 50_080_000_000, 131072, "stops at the window"},
		{llama8B(), 65536, 1, "exactly one token"},
		{llama8B(), 65535, 0, "not even one"},
		{llama8B(), -1, 0, "nothing"},
		{model("m", 0, sliding(1, 1, 8, 8)), 1000, math.MaxInt, "never grows again"},
		{model("m", 0, latent(1, 1)), math.MaxInt64, math.MaxInt, "the largest that can be counted"},
	} {
		got, err := c.model.MaxTokens(c.budget, kvcache.Setup{})
		require.NoError(t, err, c.origin)
		require.Equal(t, c.want, got, c.origin)
	}
}

func TestFootprintJSON(t *testing.T) {
	f, err := llama8B().Session(200000, kvcache.Setup{})
	require.NoError(t, err)
	b, err := json.Marshal(f)
	require.NoError(t, err)
	require.JSONEq(t, `{"session_bytes":13107200000,"per_device_bytes":13107200000,"growing_bytes":13107200000,
		"window_bytes":0,"state_bytes":0,"rounding_bytes":0,
		"parts":[{"group":"attention","stream":"k","key":"num_hidden_layers","rule":"every token","bytes":6553600000},
		         {"group":"attention","stream":"v","key":"num_hidden_layers","rule":"every token","bytes":6553600000}],
		"warnings":["kvcache: session is longer than the model's window: 200000 tokens, 131072 in the window"]}`, string(b))
}

// The only allocation is the list of parts.
func TestSessionAllocates(t *testing.T) {
	m := deepSeekV4("DeepSeek-V4-Pro", 30, 31, 61)
	for _, e := range engines() {
		s := kvcache.Setup{Engine: e, Parallel: tp(8)}
		require.Equal(t, 1.0, testing.AllocsPerRun(100, func() {
			if _, err := m.Session(65536, s); err != nil {
				t.Fatal(err)
			}
		}), e.Name)
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if _, err := m.MaxTokens(kvcache.GB, s); err != nil {
				t.Fatal(err)
			}
		}), e.Name)
	}
}

func BenchmarkSession(b *testing.B) {
	m := deepSeekV4("DeepSeek-V4-Pro", 30, 31, 61)
	for _, e := range engines()[1:] {
		b.Run(e.Name, func(b *testing.B) {
			s := kvcache.Setup{Engine: e, Parallel: tp(8)}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Session(65536, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMaxTokens(b *testing.B) {
	m := deepSeekV4("DeepSeek-V4-Pro", 30, 31, 61)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.MaxTokens(kvcache.GB, kvcache.Setup{}); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzSession(f *testing.F) {
	f.Add(32, 8, 128, 0, 1, 16384, 1, 1, 1, int64(0), 0, 0)
	f.Add(48, 16, 128, 1, 128, 100, 8, 2, 1, int64(98304), 8, 2)
	f.Add(61, 1, 576, 3, 4, 1<<30, 8, 1, 8, int64(1)<<60, 3, 3)
	f.Add(1<<19, math.MaxInt, math.MaxInt, 0, 0, math.MaxInt/2, 1, 1, 1, int64(1)<<62, math.MaxInt, 4)
	f.Add(1, 1, math.MaxInt/2+1, 1, 1, 1, 1, 1, 1, int64(1)<<62, 0, 2)
	f.Fuzz(func(t *testing.T, layers, heads, dim, kind, limit, n, tpn, pp, dcp int, values int64, groups, engine int) {
		g := kvcache.Group{
			Name: "g", Layers: layers, Tokens: kvcache.TokenRule{Kind: kvcache.TokenKind(kind), N: limit},
			Streams: []kvcache.Stream{{Name: "k", Heads: heads, Dim: dim}},
			States:  []kvcache.State{{Name: "conv", Values: values, Heads: heads, Groups: groups, PerGroup: limit}},
		}
		s := kvcache.Setup{
			Parallel: kvcache.Parallel{TP: tpn, PP: pp, DCP: dcp}, Engine: engines()[uint(engine)%5],
			Format: kvcache.FP8, StateFormat: kvcache.BF16, StateCopies: 1,
		}
		m := model("m", 0, g)
		if p, err := m.Pool(kvcache.GB, n, s); err == nil {
			require.LessOrEqual(t, p.BlockBytes*kvcache.Bytes(p.Blocks), kvcache.GB)
			require.Positive(t, p.BlocksPerSession)
		}
		if _, err := m.Session(n, s); err != nil || n == math.MaxInt {
			return
		}
		if _, err := m.Session(n+1, s); err != nil {
			return
		}
		if f, _ := m.Session(n, s); f.PerDevice > math.MaxInt64/(1<<16) {
			return // the property itself would overflow
		}
		checkProperties(t, m, n, s)
	})
}
