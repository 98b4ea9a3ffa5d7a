package hfconfig

// decoderLayer is a layer with self and cross attention.
const decoderLayer = "decoder"

// encoderFamilies attend across to the output of an encoder.
var encoderFamilies = []family{
	{
		names:  []string{"whisper"},
		layers: decoderLayers,
		kinds:  map[string]part{decoderLayer: parts(fullOf(decoderHeads), cross(decoderHeads, fixedInput("max_source_positions")))},
		defaults: defaults{
			"d_model": 384, "decoder_layers": 4, "decoder_attention_heads": 6, "max_source_positions": 1500, "max_target_positions": 448,
		},
	},
	{
		names:  []string{"bart"},
		layers: decoderLayers,
		kinds:  map[string]part{decoderLayer: parts(fullOf(decoderHeads), cross(decoderHeads, longestInput("max_position_embeddings")))},
	},
	{
		names:  []string{"mllama_text_model", "mllama"},
		reads:  keys(attentionKeys, []string{"cross_attention_layers"}),
		layers: mllamaLayers,
		kinds:  map[string]part{fullLayer: full, "cross_attention": cross(plainHeads, imageTokens)},
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 8,
			"max_position_embeddings": 131072,
		},
	},
}

func decoderLayers(c *config) []string {
	c.listKey = "decoder_layers"
	kinds := make([]string, c.number("decoder_layers", 1, maxLayers))
	for i := range kinds {
		kinds[i] = decoderLayer
	}
	return kinds
}

// mllamaLayers are self attention but for those listed, which look at images.
func mllamaLayers(c *config) []string {
	at := c.ints("cross_attention_layers")
	if at == nil {
		at = []int64{3, 8, 13, 18, 23, 28, 33, 38}
		c.classDefault("cross_attention_layers", "3, 8, ..., 38")
	}
	return c.chosen("cross_attention_layers", at, "cross_attention", fullLayer)
}
