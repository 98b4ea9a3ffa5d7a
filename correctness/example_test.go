package correctness_test

import (
	"errors"
	"fmt"

	"example.com/servemath/correctness"
)

func ExampleKL() {
	ref := []float32{2.0, 1.0, 0.5}
	got := []float32{1.9, 1.1, 0.5}
	kl, err := correctness.KL(ref, got)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f nats\n", kl)
	// Output: 0.003591 nats
}

func ExampleCompare() {
	ref := []float64{0.70, 0.20, 0.10}
	got := []float64{0.65, 0.25, 0.10}
	pos, err := correctness.Compare(ref, got, &correctness.Options{Kind: correctness.Probs})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("KL %.5f, reverse %.5f, TV %.2f\n", pos.KL, pos.ReverseKL, pos.TV)
	fmt.Printf("top token %d, agrees: %t, certified: %t (flips need %.4f)\n",
		pos.TopRef, pos.Agree, pos.Certified, pos.FlipKL)
	// Output:
	// KL 0.00725, reverse 0.00762, TV 0.05
	// top token 0, agrees: true, certified: true (flips need 0.1471)
}

// Rows padded to a multiple of 64 are compared over the tokenizer's vocabulary.
func ExampleOptions() {
	ref := []float32{1, 2, 0.5, -1e9, -1e9}
	got := []float32{1.25, 2, 0.25}
	pos, err := correctness.Compare(ref, got, &correctness.Options{VocabSize: 3})
	fmt.Printf("%.4f %v\n", pos.KL, err)
	// Output: 0.0113 <nil>
}

func ExampleInputError() {
	_, err := correctness.Compare([]float64{1.1, -0.1}, []float64{0.5, 0.5},
		&correctness.Options{Kind: correctness.Probs})
	if in, ok := errors.AsType[*correctness.InputError](err); ok {
		fmt.Println(in.Index, errors.Is(err, correctness.ErrNegativeProb))
	}
	fmt.Println(err)
	// Output:
	// 1 true
	// correctness: index 1: probability -0.1 below 0 in ref (is it a log-probability?)
}

// A token that the engine rules out makes the divergence infinite unless a policy
// says otherwise.
func ExampleZeroPolicy() {
	ref, got := []float64{0.5, 0.3, 0.2}, []float64{0.25, 0.75, 0}
	for _, z := range []correctness.ZeroPolicy{
		{},
		{Kind: correctness.ZeroExclude},
		{Kind: correctness.ZeroFloor, Eps: 1e-6},
	} {
		pos, _ := correctness.Compare(ref, got, &correctness.Options{Kind: correctness.Probs, ZeroQ: z})
		fmt.Printf("KL %.4f, lower bound: %t, tokens ruled out: %d\n", pos.KL, pos.LowerBound, pos.ZeroQ)
	}
	// Output:
	// KL +Inf, lower bound: false, tokens ruled out: 1
	// KL 0.3128, lower bound: true, tokens ruled out: 1
	// KL 2.5129, lower bound: true, tokens ruled out: 1
}

func ExampleDecodeF16() {
	row := make([]float32, 3)
	err := correctness.DecodeF16(row, []uint16{0x3c00, 0xc000, 0x3555})
	fmt.Println(row, err)
	// Output: [1 -2 0.33325195] <nil>
}

func ExampleDecodeBF16() {
	row := make([]float32, 3)
	err := correctness.DecodeBF16(row, []uint16{0x3f80, 0xc000, 0x3eab})
	fmt.Println(row, err)
	// Output: [1 -2 0.33398438] <nil>
}

// Two top-2 lists prove an interval; they do not hold the divergence itself.
func ExampleCompareTopK() {
	ref := correctness.TopK{IDs: []int32{11, 42}, LogProbs: []float64{-0.105, -2.60}, VocabSize: 32000}
	got := correctness.TopK{IDs: []int32{11, 7}, LogProbs: []float64{-0.120, -2.65}, VocabSize: 32000}
	b, err := correctness.CompareTopK(ref, got, &correctness.TopKOptions{Floor: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("between %.4f and %.4f nats; left out: %.3f and %.3f\n", b.Lower, b.Upper, b.ResidualRef, b.ResidualGot)
	// Output: between 0.0291 and 1.8200 nats; left out: 0.025 and 0.042
}
