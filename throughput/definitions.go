package throughput

// DefinitionOf returns what a tool means by a metric, as read in its source in
// 2025 and 2026; false where the tool does not report it or its source leaves it
// open. Rates over the whole run need no definition.
func DefinitionOf(tool string, m Metric) (Definition, bool) {
	d, ok := definitions[tool][m]
	d.Tool = tool
	return d, ok
}

// What tools mean. A tool that calls something else TPOT or ITL stands here by
// what it computes: AIPerf's inter-token latency is everyone's TPOT.
var definitions = func() map[string]map[Metric]Definition {
	requests := Definition{Weight: PerRequest, Percentile: Type7, PopulationSD: true}
	with := func(d Definition, change func(*Definition)) Definition { change(&d); return d }
	chunks := with(requests, func(d *Definition) { d.Gap, d.Weight = ChunkGap, PerGap })
	tokens := with(requests, func(d *Definition) { d.Gap, d.Weight = TokenGap, PerToken })
	burst := with(requests, func(d *Definition) { d.Gap, d.Weight = ZeroInChunk, PerToken })
	twoTokens := with(requests, func(d *Definition) { d.TwoTokens = true })
	guide := Definition{Weight: PerRequest, Percentile: Weighted, PopulationSD: true}
	floor := Definition{Weight: PerRequest, Percentile: FloorIndex}
	pandas := Definition{Weight: PerRequest, Percentile: Type7}
	return map[string]map[Metric]Definition{
		"vLLM":   {TTFT: requests, TPOT: requests, E2E: requests, ITL: chunks},
		"SGLang": {TTFT: requests, TPOT: requests, E2E: requests, ITL: tokens},
		"GuideLLM": {
			TTFT: guide, E2E: guide,
			TPOT: with(guide, func(d *Definition) { d.IncludesFirst, d.Weight = true, PerToken }),
			ITL:  with(guide, func(d *Definition) { d.Gap, d.Weight = RequestGap, PerTokenLess1 }),
		},
		"inference-perf": {TTFT: twoTokens, TPOT: requests, E2E: requests, NTPOT: requests, ITL: burst},
		"AIPerf":         {TTFT: requests, TPOT: requests, E2E: requests, UserRateDecode: requests, ITL: chunks},
		"GenAI-Perf":     {TTFT: requests, E2E: requests, ITL: tokens},
		"LLMPerf": {
			TTFT: pandas, E2E: pandas, UserRateE2E: pandas,
			ITL: with(pandas, func(d *Definition) { d.Gap, d.IncludesFirst = ChunkedTotal, true }),
		},
		"TensorRT-LLM": {
			TTFT: floor, E2E: floor, UserRateE2E: floor,
			TPOT: with(floor, func(d *Definition) { d.ZeroForOne = true }),
		},
		"MLPerf": {TTFT: floor, TPOT: floor, E2E: floor},
	}
}()
