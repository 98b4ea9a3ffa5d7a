package main

import (
	"errors"
	"math"
	"strings"

	"example.com/servemath/bt"
	"example.com/servemath/internal/tsv"
	"example.com/servemath/testdata"
	"example.com/servemath/throughput"
	"gonum.org/v1/plot"
)

// ranking draws each platform's strengths beside the published ones. A platform
// that its data cannot rank shows the published figures alone.
func ranking() (*plot.Plot, error) {
	rows, err := singleDecode()
	if err != nil {
		return nil, err
	}
	published, err := publishedStrengths()
	if err != nil {
		return nil, err
	}
	var lines []line
	for _, platform := range platforms(rows) {
		fitted, err := rank(on(rows, platform))
		if _, ok := errors.AsType[*bt.SeparableError](err); ok {
			fitted, err = unranked(on(rows, platform)), nil
		}
		if err != nil {
			return nil, err
		}
		for i := range fitted {
			fitted[i].other = math.NaN()
			if s, ok := published[[2]string{platform, fitted[i].name}]; ok {
				fitted[i].other = s
			}
			fitted[i].name = platform + ": " + fitted[i].name
			if math.IsNaN(fitted[i].estimate) {
				fitted[i].name += " (not ranked)"
			}
		}
		lines = append(append(lines, fitted...), line{})
	}
	p, err := forest("Engines by "+strings.ToLower(setup)+", Bradley-Terry", "chance to beat an engine of average strength, %", lines[:len(lines)-1])
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max = 0, 100
	return p, nil
}

func rank(rows []throughput.Row) ([]line, error) {
	contests := map[[2]string]map[string]float64{}
	for _, r := range rows {
		k := [2]string{r.Machine, r.Model}
		if contests[k] == nil {
			contests[k] = map[string]float64{}
		}
		contests[k][r.Engine] = r.Value
	}
	var d bt.Data
	for _, scores := range contests { // the order of contests does not matter to a fit
		d.AddContest(bt.Contest{Scores: scores}, nil)
	}
	m, err := bt.Fit(&d, nil)
	if err != nil {
		return nil, err
	}
	standings, err := m.Ranking(nil)
	if err != nil {
		return nil, err
	}
	var out []line
	for _, s := range standings {
		out = append(out, line{name: s.Item, estimate: 100 * s.Strength, lo: 100 * s.Lo, hi: 100 * s.Hi})
	}
	return out, nil
}

// unranked are the engines of rows without an estimate.
func unranked(rows []throughput.Row) []line {
	var out []line
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Engine] {
			seen[r.Engine] = true
			out = append(out, line{name: r.Engine, estimate: math.NaN()})
		}
	}
	return out
}

func publishedStrengths() (map[[2]string]float64, error) {
	out := map[[2]string]float64{}
	for row, err := range tsv.Read(strings.NewReader(testdata.HeadToHead), "head_to_head.tsv", "platform", "engine", "strength_percent") {
		if err != nil {
			return nil, err
		}
		s, err := row.Float("strength_percent")
		if err != nil {
			return nil, err
		}
		out[[2]string{row.Text("platform"), row.Text("engine")}] = s
	}
	return out, nil
}
