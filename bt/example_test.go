package bt_test

import (
	"errors"
	"fmt"

	"example.com/servemath/bt"
)

// Four engines on three machines; equal scores are a tie.
func contests() *bt.Data {
	var d bt.Data
	for _, scores := range []map[string]float64{
		{"Pie": 205, "MLX": 185, "llama.cpp": 166},
		{"Pie": 98, "MLX": 103, "llama.cpp": 91, "vLLM": 101},
		{"Pie": 61, "MLX": 55, "llama.cpp": 61, "vLLM": 64},
		{"Pie": 44, "MLX": 37, "llama.cpp": 39, "vLLM": 37},
	} {
		d.AddContest(bt.Contest{Scores: scores}, nil)
	}
	return &d
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
	m, err := bt.Fit(contests(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	standings, err := m.Ranking(&bt.IntervalOptions{Level: 0.9})
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
	m, err := bt.Fit(contests(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Prob("Pie", "llama.cpp", nil)
	fmt.Println(p, err)
	// Output: 0.7603 [0.3922, 0.9397] at 95% <nil>
}

func ExampleModel_Covariance() {
	m, err := bt.Fit(contests(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	cov := m.Covariance()
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
	// Output: bt: no comparison joins the groups {Pie, MLX} and {vLLM, SGLang}: rank each by itself, or give a prior
}
