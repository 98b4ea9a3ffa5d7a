package correctness_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"example.com/servemath/correctness"
)

// memory is a source over rows in memory: 12 prompts of 3 positions, whose logits
// an engine moves by noise.
type memory struct {
	next  int
	noise float64
}

func (m *memory) Next(row *correctness.Row) error {
	if m.next == 36 {
		return io.EOF
	}
	row.Prompt, row.Index = fmt.Sprint("prompt ", m.next/3), m.next%3
	row.Kind, row.DataToken, row.TopK = correctness.Logits, 0, nil
	row.Values = row.Values[:0]
	for i := range 5 {
		x := math.Sin(float64(m.next*5 + i))
		row.Values = append(row.Values, float32(3*x+m.noise*math.Cos(float64(m.next+7*i))))
	}
	m.next++
	return nil
}

// collected is 12 prompts of three positions.
func collected() *correctness.Accumulator {
	a := &correctness.Accumulator{}
	for g := range 12 {
		for i := range 3 {
			p := correctness.Position{KL: 0.001 * float64(1+(g+i)%4), Agree: (g+i)%9 != 0}
			if err := a.Add(fmt.Sprint("prompt ", g), i, p); err != nil {
				panic(err)
			}
		}
	}
	return a
}

func ExampleCompareSources() {
	a, err := correctness.CompareSources(&memory{}, &memory{noise: 0.05}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := a.Summary(nil)
	fmt.Println(s, err)
	// Output: mean KL 0.000143154 [0.000107458, 0.000210657] nats (90%, 36 positions in 12 prompts), median 9.54855e-05, p99 0.000702334, max 0.000722223, top-1 agreement 97.22% <nil>
}

// Any type with a Next is a source; rows carry their own kind.
func ExampleSource() {
	var src correctness.Source = &memory{}
	var row correctness.Row
	n := 0
	for src.Next(&row) == nil {
		n++
	}
	fmt.Println(n, "rows, the last at", row.Prompt, "position", row.Index)
	// Output: 36 rows, the last at prompt 11 position 2
}

// Shards are collected apart and merged in any order.
func ExampleAccumulator_Merge() {
	left, right := &correctness.Accumulator{}, &correctness.Accumulator{}
	for i := range 4 {
		_ = left.Add("first prompt", i, correctness.Position{KL: 0.25})
		_ = right.Add("second prompt", i, correctness.Position{KL: 0.75})
	}
	fmt.Println(left.Merge(right))
	s, err := left.Summary(nil)
	fmt.Println(s.MeanKL, s.N, s.Prompts, err)
	fmt.Println(left.Merge(right))
	// Output:
	// <nil>
	// 0.5 8 2 <nil>
	// correctness: prompt "second prompt": prompt is in both accumulators
}

func ExampleAccumulator() {
	data, err := json.Marshal(collected())
	if err != nil {
		fmt.Println(err)
		return
	}
	var again correctness.Accumulator
	err = json.Unmarshal(data, &again)
	q, _ := again.Quantile(0.75)
	fmt.Println(q, err)
	// Output: 0.0032500000000000003 <nil>
}

func ExampleSummary() {
	s, err := collected().Summary(&correctness.SummaryOptions{Level: 0.95})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range s.Table()[:6] {
		fmt.Printf("%-22s %s\n", line[0], line[1])
	}
	w := s.Worst[0]
	fmt.Printf("worst: %s position %d, %.3f nats\n", w.Prompt, w.Index, w.KL)
	// Output:
	// positions              36 in 12 prompts
	// mean KL                0.0025 nats
	// interval of the mean   0.00224802 to 0.0027522 nats (95%, by prompt)
	// mean of prompts        0.0025 nats
	// median, p90, p95       0.0025, 0.004, 0.004 nats
	// p99, p99.9, max        0.004, 0.004, 0.004 nats
	// worst: prompt 1 position 2, 0.004 nats
}

func ExampleSummary_Judge() {
	s, err := collected().Summary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range []correctness.Criterion{
		{MaxMeanKL: 0.01},
		{MaxMeanKL: 0.001},
		{MaxMeanKL: 0.0025},
		{MaxMeanKL: 0.01, NoiseFloor: 0.02},
		{MinTopAgreement: 0.99},
	} {
		fmt.Println(s.Judge(c))
	}
	// Output:
	// pass: mean KL is at most 0.002705, within the limit of 0.01
	// fail: mean KL is at least 0.002305, over the limit of 0.001
	// inconclusive: mean KL lies between 0.002305 and 0.002705, which straddles the limit of 0.0025
	// inconclusive: the tolerance of 0.01 nats is below the noise floor: the reference differs from itself by 0.02
	// fail: top-1 agreement is at most 0.9645, under the limit of 0.99
}

// A figure printed to four decimals is known to within half of the last one.
func ExampleJudgeFigure() {
	v := correctness.JudgeFigure(0.1493, 0.00005, correctness.Criterion{MaxMeanKL: 0.15})
	fmt.Printf("%v, between %.5f and %.5f\n", v.Outcome, v.Lo, v.Hi)
	fmt.Println(correctness.JudgeFigure(0.1500, 0.00005, correctness.Criterion{MaxMeanKL: 0.15}).Outcome)
	// Output:
	// pass, between 0.14925 and 0.14935
	// inconclusive
}

// An engine that is three times as far off as it may be is found out after a few
// prompts, and the test could have stopped at any of them.
func ExampleMonitor() {
	m := correctness.Monitor{MaxMeanKL: 0.01}
	for _, kl := range []float64{0.03, 0.02, 0.05, 0.03, 0.01, 0.04, 0.03} {
		state := m.Observe(kl)
		if state.Outcome == correctness.Fail {
			fmt.Println(state)
			break
		}
	}
	// Output: fail after 4 prompts, wealth 25.19, at most 25.19
}

func ExampleNoiseFloor() {
	engine, repeat := map[string]float64{}, map[string]float64{}
	for g := range 20 {
		name := fmt.Sprint("prompt ", g)
		repeat[name] = 0.0010 + 0.0001*float64(g%3)
		engine[name] = 0.0012 + 0.0001*float64(g%4)
	}
	f, err := correctness.NoiseFloor(engine, repeat, nil)
	fmt.Println(f, err)
	// Output: above the noise floor: mean KL 0.00135 against 0.001095 of the reference with itself (ratio 1.23, P 8.95e-08, 20 prompts) <nil>
}

func ExampleSampledKL() {
	ref, got := []float64{-0.52, -1.31, -0.08}, []float64{-0.50, -1.35, -0.09}
	k1, k3, err := correctness.SampledKL(ref, got)
	fmt.Printf("estimates: k1 %.4f, k3 %.6f %v\n", k1, k3, err)
	// Output: estimates: k1 -0.0100, k3 0.000353 <nil>
}

func ExampleTokenTable() {
	var table correctness.TokenTable
	fmt.Println(table.ID(" the"), table.ID("\xe2\x82"), table.ID(" the"))
	token, ok := table.Token(1)
	fmt.Printf("%q %t\n", token, ok)
	// Output:
	// 0 1 0
	// "\xe2\x82" true
}

// A server that lists the text's token beside the 2 most likely ones says less of
// unlisted tokens than a list of 3.
func ExampleTopK() {
	list := correctness.TopK{
		IDs:       []int32{11, 42, 977},
		LogProbs:  []float64{-0.3, -1.8, -9.5},
		VocabSize: 32000,
		K:         2,
	}
	b, err := correctness.CompareTopK(list, list, nil)
	fmt.Printf("%.4f left out, KL at least %g %v\n", b.ResidualRef, b.Lower, err)
	// Output: 0.0938 left out, KL at least 0 <nil>
}

func ExamplePosition() {
	pos, err := correctness.Compare([]float32{4, 1, 0}, []float32{3.5, 1.2, 0.1}, &correctness.Options{DataToken: new(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("KL %.4f of a cross-entropy of %.4f, JS %.4f, Hellinger %.4f\n", pos.KL, pos.CrossEntropy, pos.JS, pos.Hellinger)
	fmt.Printf("the text's token: %+.4f in probability, -ln p %.4f and %.4f\n", pos.DeltaP, pos.NLLRef, pos.NLLGot)
	// Output:
	// KL 0.0166 of a cross-entropy of 0.2909, JS 0.0045, Hellinger 0.0674
	// the text's token: +0.0418 in probability, -ln p 3.0659 and 2.4254
}

// With the vocabulary in order, tokens named by text have the model's ids, and
// responses compare with whole rows.
func ExampleNewTokenTable() {
	table := correctness.NewTokenTable([]string{"<s>", "the", " cat"})
	fmt.Println(table.ID(" cat"))
	token, ok := table.Token(1)
	fmt.Println(token, ok)
	// Output:
	// 2
	// the true
}
