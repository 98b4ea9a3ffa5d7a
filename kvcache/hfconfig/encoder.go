package hfconfig

import (
	"strconv"

	"example.com/servemath/kvcache"
)

// Cross attention keeps keys and values of an encoder's output, which does not
// grow with the session.

// cross keeps tokens of the encoder on a layer.
func cross(h heads, tokens func(*config) int) part {
	return func(c *config) []kvcache.Group {
		n := tokens(c)
		if n == 0 {
			return nil
		}
		return []kvcache.Group{{
			Name: "cross attention", Streams: h(c),
			Tokens: kvcache.TokenRule{Kind: kvcache.Encoder, N: n},
		}}
	}
}

// fixedInput is an encoder that pads every input to the length a key gives.
func fixedInput(key string) func(*config) int {
	return func(c *config) int {
		if n := c.opts.EncoderTokens; n > 0 {
			return n
		}
		return c.number(key, 1, maxTokens)
	}
}

// longestInput is an encoder whose input is as long as the caller says, which is
// by default the most that a key allows.
func longestInput(key string) func(*config) int {
	return func(c *config) int {
		n := fixedInput(key)(c)
		if c.opts.EncoderTokens == 0 {
			c.defaulted("Options.EncoderTokens", strconv.Itoa(n), "the longest input, "+key)
		}
		return n
	}
}

// decoderHeads are the heads of an encoder-decoder's decoder, all with keys and
// values of their own, which share d_model.
func decoderHeads(c *config) []kvcache.Stream {
	heads := c.dim("decoder_attention_heads")
	dim := c.quotient(c.dim("d_model"), heads, "decoder_attention_heads", "d_model / decoder_attention_heads")
	return keyValue(heads, dim, dim)
}

// imageTokens is the encoder's output for the images of a session: for each of
// max_num_tiles tiles its patches and one more for the whole.
func imageTokens(c *config) int {
	if n := c.opts.EncoderTokens; n > 0 {
		return n
	}
	if c.opts.Images == 0 {
		c.omit("cross attention to images: Options.Images says how many")
		return 0
	}
	v := c.vision()
	if v == nil {
		c.missing("vision_config")
		return 0
	}
	side := v.quotient(v.dim("image_size"), v.dim("patch_size"), "image_size", "patches")
	tiles := v.dim("max_num_tiles")
	n := product(side, side) + 1
	if n = min(n, maxTokens) * int64(min(tiles, maxLayers)); n > maxTokens || int64(c.opts.Images) > maxTokens/max(n, 1) {
		c.fail(v.inconsistent("max_num_tiles", strconv.Itoa(tiles)+" tiles: too many tokens"))
		return 0
	}
	return int(n) * c.opts.Images
}

// vision is the config of the image encoder, beside the text config.
func (c *config) vision() *config {
	if len(c.outer) == 0 {
		return nil
	}
	w := c.outer[len(c.outer)-1]
	beside := &config{text: w.node, path: w.path, inText: "../", modelType: c.modelType, family: noFamily, opts: c.opts, findings: c.findings}
	return beside.within("vision_config")
}
