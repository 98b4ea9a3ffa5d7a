package main

import (
	"errors"
	"math"
	"slices"
	"strings"

	"example.com/servemath/throughput"
	"gonum.org/v1/plot"
)

// reference is the engine that the others are held against.
const reference = "Pie"

// ratios draws the paired comparisons of every engine with the reference.
func ratios() (*plot.Plot, error) {
	rows, err := singleDecode()
	if err != nil {
		return nil, err
	}
	var lines []line
	for _, platform := range platforms(rows) {
		own := on(rows, platform)
		for _, engine := range engines(own) {
			c, err := throughput.CompareEngines(own, reference, engine, nil)
			if errors.Is(err, throughput.ErrUnpaired) {
				continue
			}
			if err != nil {
				return nil, err
			}
			lines = append(lines, line{name: platform + ": " + engine, estimate: c.Estimate,
				lo: math.Max(c.ByMachine.Lo, axisMin), hi: math.Min(c.ByMachine.Hi, axisMax), other: math.NaN()})
		}
		lines = append(lines, line{})
	}
	p, err := forest(reference+" against the others, "+strings.ToLower(setup), "ratio of tokens per second; the line spans the 95% interval over machines, cut at the axis", lines[:len(lines)-1])
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max = axisMin, axisMax
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = plot.ConstantTicks([]plot.Tick{{Value: 0.5, Label: "0.5"}, {Value: 0.8, Label: "0.8"}, {Value: 1, Label: "1"},
		{Value: 1.25, Label: "1.25"}, {Value: 2, Label: "2"}, {Value: 4, Label: "4"}})
	return p, nil
}

// The axis, as a ratio; intervals over two machines reach far beyond it.
const axisMin, axisMax = 0.5, 5

// engines are the engines of rows beside the reference, by name.
func engines(rows []throughput.Row) []string {
	var out []string
	for _, r := range rows {
		if r.Engine != reference && !slices.Contains(out, r.Engine) {
			out = append(out, r.Engine)
		}
	}
	slices.Sort(out)
	return out
}
