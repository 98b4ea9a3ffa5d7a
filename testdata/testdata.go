// Package testdata embeds published figures as data, for the examples and the
// tests. README.md beside it says where each file came from.
package testdata

import _ "embed"

// The page that ranks engines, as tab-separated values with a header.
var (
	//go:embed measurements.tsv
	Measurements string // one throughput figure a line
	//go:embed head_to_head.tsv
	HeadToHead string // published strengths and pair counts
	//go:embed install_size.tsv
	InstallSize string // download size and version of each engine
	//go:embed correctness.tsv
	Correctness string // divergence from a reference, one machine and model a line
	//go:embed rank_flips.tsv
	RankFlips string // single decode against batched decode
)

// The benchmark explorer, as JSON.
var (
	//go:embed explorer_rows.json
	ExplorerRows string // a list of published rows
	//go:embed explorer_models.json
	ExplorerModels string // model_key to layer groups
)
