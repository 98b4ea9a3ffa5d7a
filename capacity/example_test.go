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

// Twenty seconds between a reply and the next request, instead of a multiplier.
func ExampleSweep_MaxUsers() {
	u, err := exampleSweep().MaxUsers(20, capacity.DefaultTargets(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("users (bracket):", u)
	fmt.Println("without collisions:", u.Fluid)

	late := capacity.DefaultTargets()
	late.Attainment = 0.95 // 95 % of requests meet both targets
	u, err = exampleSweep().MaxUsers(20, late, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("for 95% of requests:", u.Users)
	// Output:
	// users (bracket): 32 (23 to 42)
	// without collisions: 32
	// for 95% of requests: 20
}

func ExampleSweep_Closed() {
	p, err := exampleSweep().Closed(30, 20, nil)
	if err != nil {
		panic(err)
	}
	p95, err := p.TTFTQuantile(0.95)
	if err != nil {
		panic(err)
	}
	fmt.Println(p)
	fmt.Printf("%.1f in flight, %.1f people for each\n", p.MeanInSystem, p.Multiplier)
	fmt.Printf("95%% of first tokens within %.3f s\n", p95)
	// Output:
	// 1.13 requests/s, 0.6578 s to the first token, 21.52 tok/s, 6.558 s a request
	// 7.4 in flight, 4.0 people for each
	// 95% of first tokens within 0.983 s
}

func ExamplePoint_Attainment() {
	p, err := exampleSweep().Closed(30, 20, nil)
	if err != nil {
		panic(err)
	}
	share, err := p.Attainment(capacity.DefaultTargets())
	fmt.Printf("%.3f of requests meet both targets, %.3f the first token alone %v\n", share, p.TTFTCDF(1), err)
	fmt.Printf("%.4f of the time nobody is served\n", p.Probability(0))
	// Output:
	// 0.587 of requests meet both targets, 0.958 the first token alone <nil>
	// 0.0036 of the time nobody is served
}

func ExampleSweep_Open() {
	p, err := exampleSweep().Open(1, nil)
	fmt.Printf("%.2f of arrivals wait, load %.2f %v\n", p.PQueue, p.Load, err)
	_, err = exampleSweep().Open(2, nil)
	fmt.Println(err)
	// Output:
	// 0.02 of arrivals wait, load 0.68 <nil>
	// capacity: more requests arrive than can be served: 2 requests/s at 16 slots that finish 1.481
}

func ExampleSweep_BestCap() {
	late := capacity.DefaultTargets()
	late.Attainment = 0.95
	slots, u, err := exampleSweep().BestCap(20, late, nil)
	fmt.Println(slots, "slots serve", u.Users, err)
	// Output:
	// 8 slots serve 21 <nil>
}

func ExampleSweep_Mix() {
	m, err := exampleSweep().Mix([]capacity.Class{
		{Name: "chat", Users: 15, ThinkSeconds: 30},
		{Name: "agents", Users: 3, ThinkSeconds: 3},
	}, nil)
	if err != nil {
		panic(err)
	}
	for _, c := range m.Classes {
		fmt.Printf("%s: %.3f requests/s, %.2f s each\n", c.Name, c.RequestsPerSecond, c.ResponseSeconds)
	}
	// Output:
	// chat: 0.432 requests/s, 4.71 s each
	// agents: 0.409 requests/s, 4.34 s each
}

func ExampleAgent() {
	a := capacity.Agent{Calls: 10, ToolSeconds: 3, PauseSeconds: 60}
	fmt.Println(a.ThinkSeconds(), a.TaskSeconds(2))
	c, err := capacity.Estimate(exampleSweep(), capacity.DefaultTargets(), capacity.Usage{Name: "agents", Agent: &a}, capacity.MemoryLimit{}, nil)
	fmt.Println(c, c.Basis, err)
	// Output:
	// 8.7 47
	// 19 agent <nil>
}

// A limit as a slope: users whose session was pushed out of the cache wait for
// it to be read again.
func ExampleSoftMemory() {
	soft := capacity.SoftMemory{Sessions: 12, SessionTokens: 16_384, PrefillSecondsPerToken: 2e-5}
	for _, users := range []int{12, 16, 20} {
		p, err := exampleSweep().Closed(users, 20, &capacity.Options{Soft: &soft})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d users: %.1f tok/s\n", users, p.TPS)
	}
	// Output:
	// 12 users: 39.7 tok/s
	// 16 users: 31.1 tok/s
	// 20 users: 24.5 tok/s
}

func ExampleSweep_Check() {
	s, err := capacity.NewSweep(capacity.Workload{OutputTokens: 256}, []capacity.Level{
		{Concurrency: 32, TTFTSeconds: 0.35, TPS: 28, OutputTPS: 862},
		{Concurrency: 64, TTFTSeconds: 5.2, TPS: 28, OutputTPS: 862},
	})
	if err != nil {
		panic(err)
	}
	for _, f := range s.Check() {
		fmt.Println(f)
	}
	// Output:
	// level 64: Little mismatch: 64 at once at the measured times make 1145 tok/s, +33% against the 862 reported: so many were not in flight throughout; run at least ten times as many requests as the level
	// level 64: slot plateau: each request is as fast as at 32 and only waits longer: slots are full; set Options.Slots to the engine's limit or leave the level out
}

func ExampleSweep_Pareto() {
	for _, p := range exampleSweep().Pareto() {
		fmt.Printf("%d at once: %.1f tok/s each, %.1f in all\n", p.Concurrency, p.TPS, p.OutputTPS)
	}
	// Output:
	// 1 at once: 55.6 tok/s each, 51.1 in all
	// 2 at once: 44.1 tok/s each, 81.5 in all
	// 4 at once: 31.7 tok/s each, 116.4 in all
	// 8 at once: 21.3 tok/s each, 154.7 in all
	// 16 at once: 13.2 tok/s each, 189.6 in all
}

func ExampleSweep_FitUSL() {
	u, err := exampleSweep().FitUSL()
	fmt.Println(u, err)
	// Output:
	// lambda 0.3912/s, sigma 0.2224, kappa 0, knee at +Inf; worst level 4 by -3.1% <nil>
}

func ExampleSweep_Project() {
	measured, err := capacity.NewSweep(capacity.Workload{PromptTokens: 1000, OutputTokens: 128}, levels)
	if err != nil {
		panic(err)
	}
	longer, err := measured.Project(
		capacity.Workload{PromptTokens: 8000, OutputTokens: 128},
		capacity.Slopes{PrefillSecondsPerToken: 1e-4, DecodeSecondsPerToken: 3e-7, BatchSecondsPerToken: 2e-7, LongestPrompt: 8000},
	)
	if err != nil {
		panic(err)
	}
	usage := capacity.Usage{Name: "readers", ThinkSeconds: 60}
	for _, t := range []capacity.Targets{{MinTPS: 10, MaxE2ESeconds: 30}, capacity.DefaultTargets()} {
		c, err := capacity.Estimate(longer, t, usage, capacity.MemoryLimit{}, nil)
		fmt.Println(c, err)
		if c.Limit == capacity.LimitNoLevel {
			fmt.Println(c.Explain())
		}
	}
	// Output:
	// 38 <nil>
	// — <nil>
	// readers: no figure: TTFT under load at this prompt length needs a measured sweep.
}

func ExamplePlan() {
	choices, err := capacity.Plan(100, capacity.Usage{Name: "chat", ThinkSeconds: 20, ContextTokens: 16_384}, capacity.DefaultTargets(), []capacity.Config{
		{Name: "one box", Sweep: exampleSweep(), Memory: capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: 46}, PricePerHour: 2},
		{Name: "one box, 8K window", Sweep: exampleSweep(), Memory: capacity.MemoryLimit{Status: capacity.ContextTooLong, Reason: "8,192 tokens"}, PricePerHour: 2},
	})
	if err != nil {
		panic(err)
	}
	for _, c := range choices {
		if !c.Serves {
			fmt.Println(c)
			continue
		}
		fmt.Printf("%s: %d replicas of %d people, limited by %v, %.2f an hour, %.2f a million tokens\n",
			c.Name, c.Replicas, c.UsersPerReplica, c.Capacity.Limit, c.CostPerHour, c.CostPerMillionTokens)
	}
	// Output:
	// one box: 4 replicas of 25 people, limited by speed, 8.00 an hour, 4.43 a million tokens
	// one box, 8K window does not serve: chat: no figure: a session of 16,384 tokens is longer than the model's window (8,192 tokens).
}

func ExampleEvaluateRows() {
	rows, err := capacity.EvaluateRows([]capacity.Row{
		{ID: "a", Setup: capacity.Setup{Model: "A", Params: "1.60T", Format: "FP8", Engine: "vLLM", Hardware: "DGX Spark", Nodes: 4, TP: 4}, Sweep: exampleSweep()},
		{ID: "b", Setup: capacity.Setup{Model: "A", Params: "1.60T", Format: "NVFP4", Engine: "vLLM", Hardware: "DGX Spark", Nodes: 4, TP: 4}, MaxC: &capacity.MaxC{Concurrency: 16}},
	}, capacity.DefaultTargets(), []capacity.Usage{capacity.Chat()}, nil)
	if err != nil {
		panic(err)
	}
	if err := capacity.SortRows(rows, capacity.Order{Column: capacity.ByCapacity, Descending: true}); err != nil {
		panic(err)
	}
	for _, r := range (capacity.Filter{MinUsers: []int{10}}).Apply(rows) {
		fmt.Println(r.Setup, r.Capacities[0])
	}
	fmt.Println(rows[0].Setup.Differs(rows[1].Setup))
	// Output:
	// A (1.60T parameters), NVFP4, vLLM, 4× DGX Spark (TP=4) 64
	// A (1.60T parameters), FP8, vLLM, 4× DGX Spark (TP=4) 32
	// [format]
}

func ExampleEvaluated_At() {
	rows, err := capacity.EvaluateRows([]capacity.Row{{ID: "a", Sweep: exampleSweep()}}, capacity.DefaultTargets(), nil, nil)
	if err != nil {
		panic(err)
	}
	v, ok := rows[0].At(16)
	fmt.Println(v.TPS, v.Failed, ok)
	_, ok = rows[0].At(32)
	fmt.Println(ok)
	// Output:
	// 13.2 [TTFT TPS] true
	// false
}

func ExampleNominalBits() {
	bits, err := capacity.NominalBits("NVFP4")
	if err != nil {
		panic(err)
	}
	params, err := capacity.ParseParams("358B")
	fmt.Println(params*float64(bits)/8/1e9, "GB", err)
	// Output:
	// 179 GB <nil>
}

func ExampleScore_Compare() {
	a := capacity.Score{Index: "Intelligence", Version: "4", Value: 60}
	_, err := a.Compare(capacity.Score{Index: "Intelligence", Version: "3", Value: 55})
	fmt.Println(err)
	// Output:
	// capacity: Scores: Intelligence 4 and Intelligence 3 do not compare
}

func ExampleDefaultTargets() {
	fmt.Println(capacity.DefaultTargets())
	// Output: TTFT <= 1 s, TPS >= 20
}

func ExampleChat() {
	for _, u := range []capacity.Usage{capacity.Chat(), capacity.Agentic()} {
		fmt.Println(u.Name, u.Multiplier, u.ContextTokens)
	}
	// Output:
	// chat 4 16384
	// agentic 1.5 65536
}

func ExampleAgentic() {
	c, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: 32}, capacity.Agentic(), capacity.MemoryLimit{})
	fmt.Println(c, err)
	// Output: 48 <nil>
}

func ExampleParseParams() {
	x, err := capacity.ParseParams("1.60T")
	fmt.Printf("%.3g %v\n", x, err)
	// Output: 1.6e+12 <nil>
}

func ExampleSortRows() {
	rows, err := capacity.EvaluateRows([]capacity.Row{
		{ID: "small", Setup: capacity.Setup{Params: "8B"}, Sweep: exampleSweep()},
		{ID: "large", Setup: capacity.Setup{Params: "120B"}, Sweep: exampleSweep()},
	}, capacity.DefaultTargets(), []capacity.Usage{capacity.Chat()}, nil)
	if err != nil {
		panic(err)
	}
	err = capacity.SortRows(rows, capacity.Order{Column: capacity.ByParams, Descending: true})
	fmt.Println(rows[0].ID, rows[1].ID, err)
	// Output: large small <nil>
}
