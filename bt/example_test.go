package bt_test

import (
	"errors"
	"fmt"
	"os"

	"example.com/servemath/bt"
)

// Four engines on two machines with two models; equal scores are a tie.
var measured = []bt.Contest{
	{Scores: map[string]float64{"Pie": 205, "MLX": 185, "llama.cpp": 166}, Group: map[string]string{"machine": "M5", "model": "Gemma"}},
	{Scores: map[string]float64{"Pie": 98, "MLX": 103, "llama.cpp": 91, "vLLM": 101}, Group: map[string]string{"machine": "M5", "model": "Qwen"}},
	{Scores: map[string]float64{"Pie": 61, "MLX": 55, "llama.cpp": 61, "vLLM": 64}, Group: map[string]string{"machine": "M2", "model": "Gemma"}},
	{Scores: map[string]float64{"Pie": 44, "MLX": 37, "llama.cpp": 39, "vLLM": 37}, Group: map[string]string{"machine": "M2", "model": "Qwen"}},
}

func contests() *bt.Data {
	var d bt.Data
	for _, c := range measured {
		d.AddContest(c, nil)
	}
	return &d
}

// fitted is the model that most examples ask.
func fitted() *bt.Model {
	m, err := bt.Fit(contests(), nil)
	if err != nil {
		panic(err)
	}
	return m
}

func ExampleFit() {
	m, err := bt.Fit(contests(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, x := range m.LogStrengths() {
		fmt.Printf("%-9s %5.2f ± %.2f\n", m.Items()[i], x, m.StdErrs()[i])
	}
	// Output:
	// MLX       -0.31 ± 0.48
	// Pie        0.55 ± 0.49
	// llama.cpp -0.60 ± 0.50
	// vLLM       0.36 ± 0.53
}

func ExampleModel_Ranking() {
	standings, err := fitted().Ranking(&bt.IntervalOptions{Level: 0.9})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range standings {
		fmt.Println(s)
	}
	// Output:
	// 1. Pie 0.635 [0.436, 0.797]
	// 2. vLLM 0.588 [0.374, 0.773]
	// 3. MLX 0.424 [0.251, 0.617]
	// 4. llama.cpp 0.354 [0.195, 0.554]
}

func ExampleModel_Prob() {
	p, err := fitted().Prob("Pie", "llama.cpp", nil)
	fmt.Println(p, err)
	// Output: 0.7603 [0.3922, 0.9397] at 95% <nil>
}

func ExampleModel_Covariance() {
	cov := fitted().Covariance()
	fmt.Printf("covariance of MLX and Pie: %.3f\n", cov.At(0, 1))
	// Output: covariance of MLX and Pie: -0.075
}

func ExampleData_AddWin() {
	var d bt.Data
	d.AddWin("Pie", "MLX", 43)
	d.AddWin("MLX", "Pie", 2)
	d.AddTie("MLX", "Pie", 1)
	fmt.Println(d.Items(), d.Err())
	// Output: [Pie MLX] <nil>
}

func ExampleData_Add() {
	var d bt.Data
	d.Add(bt.Comparison{A: "Pie", B: "MLX", Outcome: 1, Group: map[string]string{"machine": "M5 Max"}})
	d.Add(bt.Comparison{A: "Pie", B: "MLX", Outcome: 7})
	fmt.Println(d.Err())
	// Output: bt: comparison 1: outcome 7 of "Pie" against "MLX" is outside [0, 1]
}

func ExampleData_AddContest() {
	var d bt.Data
	d.AddContest(bt.Contest{
		Scores: map[string]float64{"Pie": 0.21, "MLX": 0.20, "llama.cpp": 0.35},
		Group:  map[string]string{"machine": "M5 Max", "model": "Gemma-4-E2B"},
	}, &bt.ContestOptions{LowerIsBetter: true, TieWithin: 0.05})
	fmt.Println(d.Items(), d.Err())
	// Output: [MLX Pie llama.cpp] <nil>
}

func ExampleSeparableError() {
	var d bt.Data
	d.AddWin("Pie", "MLX", 3)
	d.AddWin("MLX", "vLLM", 1)
	d.AddWin("vLLM", "MLX", 2)
	_, err := bt.Fit(&d, nil)
	if sep, ok := errors.AsType[*bt.SeparableError](err); ok {
		fmt.Println("undefeated:", sep.Undefeated)
	}
	// Output: undefeated: [Pie]
}

func ExampleDisconnectedError() {
	var d bt.Data
	d.AddTie("Pie", "MLX", 3)
	d.AddTie("vLLM", "SGLang", 1)
	_, err := bt.Fit(&d, nil)
	fmt.Println(err)
	// Output: bt: no comparison joins the groups {Pie, MLX} and {vLLM, SGLang}: rank each by itself, or give a Gaussian or virtual-player prior
}

func ExampleData_AddTie() {
	var d bt.Data
	d.AddTie("Pie", "MLX", 2)
	m, err := bt.Fit(&d, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.LogStrengths())
	// Output: [0 0]
}

func ExampleInputError() {
	var d bt.Data
	d.AddWin("Pie", "Pie", 1)
	if in, ok := errors.AsType[*bt.InputError](d.Err()); ok {
		fmt.Println(in.Index, in.Reason)
	}
	// Output: 0 "Pie" is compared with itself
}

func ExampleOptions() {
	var d bt.Data
	d.Add(bt.Comparison{A: "home", B: "away", Outcome: 1, Count: 8})
	d.Add(bt.Comparison{A: "home", B: "away", Outcome: 0, Count: 3})
	d.Add(bt.Comparison{A: "away", B: "home", Outcome: 1, Count: 6})
	d.Add(bt.Comparison{A: "away", B: "home", Outcome: 0, Count: 5})
	d.Add(bt.Comparison{A: "away", B: "home", Outcome: 0.5, Count: 4})
	m, err := bt.Fit(&d, &bt.Options{Ties: bt.Davidson, OrderEffect: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	advantage, se := m.Order()
	fmt.Printf("nu %.2f, advantage of the first-placed %.2f ± %.2f\n", m.TieParameter(), advantage, se)
	// Output:
	// nu 0.39, advantage of the first-placed 0.67 ± 0.47
}

// An engine that never lost has no finite strength, unless a prior holds it.
func ExamplePrior() {
	var d bt.Data
	d.AddWin("Pie", "MLX", 3)
	d.AddWin("MLX", "vLLM", 2)
	d.AddWin("vLLM", "MLX", 1)
	for _, prior := range []bt.Prior{nil, bt.Gaussian{SD: 1}, bt.VirtualPlayer{Wins: 0.5}, bt.PseudoWins{PerPair: 0.5}, bt.Jeffreys{}} {
		m, err := bt.Fit(&d, &bt.Options{Prior: prior})
		if err != nil {
			fmt.Println(err)
			continue
		}
		p, err := m.Prob("Pie", "MLX", nil)
		fmt.Printf("%T: %.2f %v\n", prior, p.Estimate, err)
	}
	// Output:
	// bt: no finite ranking exists: Pie never lost; a prior, or leaving out the items at the ends of {Pie} > {MLX, vLLM}, would give one
	// bt.Gaussian: 0.75 <nil>
	// bt.VirtualPlayer: 0.89 <nil>
	// bt.PseudoWins: 0.88 <nil>
	// bt.Jeffreys: 0.88 <nil>
}

func ExampleTieModel() {
	fmt.Println(bt.HalfWin, bt.Davidson, bt.RaoKupper, bt.DropTies)
	// Output: half wins Davidson Rao-Kupper dropped
}

// Comparisons on one machine are not independent of each other.
func ExampleModel_Robust() {
	m := fitted()
	r, err := m.Robust("machine")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d machines: %.2f instead of %.2f\n", r.Clusters, r.StdErrs[0], m.StdErrs()[0])
	fmt.Println(r.Warnings[0])
	// Output:
	// 2 machines: 0.78 instead of 0.48
	// bt: 2 clusters are few: intervals from fewer than 20 tend to be too narrow
}

func ExampleRobust_Corrected() {
	r, err := fitted().Robust("machine")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f, corrected for two clusters %.3f\n", r.StdErrs[0], r.Corrected().StdErrs[0])
	// Output:
	// 0.782, corrected for two clusters 1.107
}

func ExampleModel_ProfileInterval() {
	in, err := fitted().ProfileInterval("Pie", "llama.cpp", 0.95)
	fmt.Println(in, err)
	// Output:
	// 1.154 [-0.347, 2.926] at 95% <nil>
}

func ExampleModel_QuasiVariances() {
	qv, worst, err := fitted().QuasiVariances()
	fmt.Printf("%.3f, off by %.1f%% at most, %v\n", qv, 100*worst, err)
	// Output:
	// [0.288 0.325 0.324 0.393], off by 1.8% at most, <nil>
}

func ExampleModel_Fitness() {
	fmt.Println(fitted().Fitness())
	// Output:
	// deviance 1.398 on 3 df, p = 0.71; Pie against vLLM won 1, expected 1.648
}

func ExampleLikelihoodRatio() {
	var d bt.Data
	d.Add(bt.Comparison{A: "x", B: "y", Outcome: 1, Count: 8})
	d.Add(bt.Comparison{A: "x", B: "y", Outcome: 0, Count: 3})
	d.Add(bt.Comparison{A: "y", B: "x", Outcome: 1, Count: 6})
	d.Add(bt.Comparison{A: "y", B: "x", Outcome: 0, Count: 5})
	without, err := bt.Fit(&d, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	with, err := bt.Fit(&d, &bt.Options{OrderEffect: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	test, err := bt.LikelihoodRatio(without, with)
	fmt.Println(test, err)
	// Output:
	// 1.718 on 1 df, p = 0.19 <nil>
}

func ExampleModel_Heterogeneity() {
	test, err := fitted().Heterogeneity("machine", &bt.BootstrapOptions{Replicates: 500})
	fmt.Println(test, err)
	// Output:
	// 9.769 on 3 df, p = 0.088 <nil>
}

func ExampleModel_Bootstrap() {
	b, err := fitted().Bootstrap(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b)
	fmt.Println("rank of", b.Items[1], "is", b.RankIntervals[1].Estimate, "from", b.RankIntervals[1].Lo, "to", b.RankIntervals[1].Hi)
	// Output:
	// 1000 replicates, 40 failed; best: MLX 0.071 Pie 0.535 llama.cpp 0.013 vLLM 0.382
	// rank of Pie is 1 from 1 to 3
}

func ExampleBootstrap_PTop() {
	b, err := fitted().Bootstrap(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("among the best two: %s %.2f\n", b.Items[1], b.PTop(2)[1])
	// Output:
	// among the best two: Pie 0.89
}

func ExampleModel_LeaveOut() {
	influences, err := fitted().LeaveOut("machine")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range influences {
		fmt.Println(in)
	}
	// Output:
	// without machine M2: bt: no finite ranking exists: llama.cpp never won; a prior, or leaving out the items at the ends of {MLX, Pie, vLLM} > {llama.cpp}, would give one
	// without machine M5: MLX -28.5 points, llama.cpp passes MLX
}

// How often says Fit, by how much says FitRatios.
func ExampleFitRatios() {
	m, err := bt.FitRatios(contests(), &bt.RatioOptions{Reference: "llama.cpp"})
	if err != nil {
		fmt.Println(err)
		return
	}
	speeds, err := m.Ratios(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, item := range m.Items() {
		fmt.Println(item, speeds[i])
	}
	// Output:
	// MLX 1.013 [0.9443, 1.087] at 95%
	// Pie 1.099 [1.024, 1.179] at 95%
	// llama.cpp 1 [1, 1] at 95%
	// vLLM 1.052 [0.9752, 1.135] at 95%
}

func ExampleRatioModel_Ratio() {
	m, err := bt.FitRatios(contests(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ratio, err := m.Ratio("Pie", "MLX", &bt.IntervalOptions{By: []string{"machine"}})
	fmt.Println(ratio, err)
	// Output:
	// 1.084 [0.9963, 1.18] at 95% <nil>
}

func ExampleTieSweep() {
	steps, err := bt.TieSweep(measured, []float64{0, 0.02, 0.05}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range steps {
		fmt.Println(s)
	}
	// Output:
	// within 0%: 2 ties; Pie 0.635, vLLM 0.588, MLX 0.424, llama.cpp 0.354
	// within 2%: 3 ties; Pie 0.634, vLLM 0.634, MLX 0.384, llama.cpp 0.349
	// within 5%: 7 ties; Pie 0.754, vLLM 0.495, llama.cpp 0.384, MLX 0.348
}

func ExamplePool() {
	p, err := bt.Pool(contests(), "machine", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range p.Groups {
		s := g.Standings[0]
		fmt.Printf("%s: %s %.2f, %.0f%% of it borrowed\n", g.Value, s.Item, s.Strength, 100*s.Borrowed)
	}
	// Output:
	// M2: Pie 0.66, 64% of it borrowed
	// M5: Pie 0.61, 67% of it borrowed
}

func ExampleModel_WriteText() {
	if err := fitted().WriteText(os.Stdout, nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank  tier  item       strength    interval  log-strength  std err  comparisons  won-tied-lost
	//    1     1  Pie           63.5%  39.8-82.1%         0.553    0.494           11          7-1-3
	//    2     1  vLLM          58.8%  33.6-80.1%         0.356    0.528            9          5-1-3
	//    3     1  MLX           42.4%  22.4-65.2%        -0.308    0.477           11          4-1-6
	//    4     1  llama.cpp     35.4%  17.2-59.2%        -0.601    0.496           11          3-1-7
	//
	// strength: chance to beat an item of average log-strength; 95% intervals, comparisons taken as independent
	// tier: items of one tier are not told apart by their intervals
	// ties: half wins
}
