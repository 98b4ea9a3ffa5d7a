// Package hfconfig reads the config.json of a checkpoint into a [kvcache.Model]:
// which layers there are, and what each of them keeps of a session.
//
//	m, err := hfconfig.Read(file)
//	size, err := m.Session(16384, kvcache.Setup{Format: kvcache.FP8})
//
// The answer is exact or there is none. Every architecture is an entry of a
// registry ([Architectures]) that lists the keys its layout reads and those it
// knows to leave the cache as it is. A key that shapes some cache, such as
// index_topk or sliding_window, and that the entry lists nowhere refuses the
// config by name ([UnmodelledFieldError]), in the text config, in its nested
// objects and in its wrappers: a size computed in spite of it would be a guess.
// Null, false and empty values count as absent, 0 does not.
//
// Also refused are model types without an entry, kinds of layers without a
// meaning, lists that do not fit the number of layers, query heads that KV heads
// do not divide, dimensions that are not positive integers, "32" for 32, NaN in a
// value that is read (it is tolerated elsewhere, as published configs hold it),
// duplicate keys, trailing text, and inputs above [Options].MaxBytes or of more
// than a million values. Every refusal is a pointer to one of the error types of
// this package.
//
// A multimodal config is followed to its language model through text_config,
// llm_config, language_config and thinker_config; the cache of other towers is
// not counted. Where a key is absent the default of the transformers class is
// applied and listed in Model.Defaults; [Options].NoDefaults refuses instead.
// What is knowingly left out, such as the layers of multi-token prediction,
// stands in Model.Omitted.
//
// # Units
//
// Tokens, heads, values and layers, all whole numbers. Bytes appear only once a
// Setup says how values are stored.
//
// # Speed
//
// The time is that of parsing the JSON. On an AMD EPYC (Turin) a config of 4 kB
// is read in 30 microseconds, one of 88 kB in 240, and one of 3.1 MB in 13
// milliseconds; encoding/json takes 42 and 750 microseconds and 33 milliseconds
// to parse them (BenchmarkRead).
package hfconfig
