package capacity_test

import (
	"fmt"

	"example.com/servemath/capacity"
)

// levels is a sweep of one machine: mean TTFT and tokens per second at 1 to 16
// requests in flight.
var levels = []capacity.Level{
	{Concurrency: 1, TTFTSeconds: 0.22, TPS: 55.6},
	{Concurrency: 2, TTFTSeconds: 0.262, TPS: 44.1},
	{Concurrency: 4, TTFTSeconds: 0.391, TPS: 31.7},
	{Concurrency: 8, TTFTSeconds: 0.655, TPS: 21.3},
	{Concurrency: 16, TTFTSeconds: 1.18, TPS: 13.2},
}

func exampleSweep() *capacity.Sweep {
	s, err := capacity.NewSweep(capacity.Workload{OutputTokens: 128}, levels)
	if err != nil {
		panic(err)
	}
	return s
}

func ExampleNewSweep() {
	s, err := capacity.NewSweep(capacity.Workload{OutputTokens: 128}, levels)
	fmt.Println(len(s.Levels()), err)
	_, err = capacity.NewSweep(capacity.Workload{OutputTokens: 128}, []capacity.Level{{Concurrency: 8, TTFTSeconds: 0.4}})
	fmt.Println(err)
	// Output:
	// 5 <nil>
	// capacity: level 8: TPS: 0 is not a speed
}

func ExampleSweep_MaxC() {
	m, err := exampleSweep().MaxC(capacity.DefaultTargets())
	if err != nil {
		panic(err)
	}
	fmt.Println("Max C", m)
	for _, v := range m.Levels {
		fmt.Printf("%2d at once, %.1f tok/s in all, failed %v\n", v.Concurrency, v.AggregateTPS, v.Failed)
	}
	// Output:
	// Max C 8
	//  1 at once, 55.6 tok/s in all, failed []
	//  2 at once, 88.2 tok/s in all, failed []
	//  4 at once, 126.8 tok/s in all, failed []
	//  8 at once, 170.4 tok/s in all, failed []
	// 16 at once, 211.2 tok/s in all, failed [TTFT TPS]
}

func ExampleEstimate() {
	for _, in := range []struct {
		usage    capacity.Usage
		sessions int
	}{{capacity.Chat(), 46}, {capacity.Agentic(), 11}} {
		memory := capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: in.sessions}
		c, err := capacity.Estimate(exampleSweep(), capacity.DefaultTargets(), in.usage, memory, nil)
		if err != nil {
			panic(err)
		}
		fmt.Println(c, c.Limit)
		fmt.Println(c.Explain())
	}
	// Output:
	// 32 speed
	// chat: 32 people, set by speed: 8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 19.9 s; memory holds 46 sessions of 16,384 tokens.
	// 11 memory
	// agentic: 11 people, set by memory: 11 sessions of 65,536 tokens fit; speed would allow 12 (8 requests at once within TTFT <= 1 s, TPS >= 20 and 1.5 people for each, which fits a think time of 3.31 s).
}

// A published figure often comes without its sweep: Max C alone is enough for
// the rule.
func ExampleEstimateFromMaxC() {
	memory := capacity.MemoryLimit{Reason: "weights of 132.68 GB exceed the assumed memory"}
	c, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: 64, AtLeast: true}, capacity.Chat(), memory)
	if err != nil {
		panic(err)
	}
	fmt.Println(c)
	fmt.Println(c.Explain())
	// Output:
	// 256+
	// chat: at least 256 people, set by speed: 64 requests at once, the highest level measured, within the targets and 4 people for each; memory was not calculated (weights of 132.68 GB exceed the assumed memory).
}
