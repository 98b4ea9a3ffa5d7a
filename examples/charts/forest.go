package main

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// line is one estimate of a forest plot. A line without a name leaves a gap; NaN
// leaves out what is not known.
type line struct {
	name             string
	estimate, lo, hi float64
	other            float64 // a figure to show beside it
}

// forest draws estimates with their intervals, the first line at the top.
func forest(title, axis string, lines []line) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = title, axis
	p.Title.Padding = vg.Points(6)
	p.Y.Tick.Marker = plot.ConstantTicks(ticks(lines))
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Font.Size = vg.Points(10)
	p.Y.Min, p.Y.Max = -0.5, float64(len(lines))+1 // room for the legend
	p.Add(plotter.NewGrid())
	var estimates, others plotter.XYs
	for i, l := range lines {
		y := float64(len(lines) - 1 - i)
		if !math.IsNaN(l.estimate) && l.name != "" {
			estimates = append(estimates, plotter.XY{X: l.estimate, Y: y})
			if err := addWhisker(p, l, y); err != nil {
				return nil, err
			}
		}
		if !math.IsNaN(l.other) && l.name != "" {
			others = append(others, plotter.XY{X: l.other, Y: y})
		}
	}
	return p, addPoints(p, estimates, others)
}

func ticks(lines []line) []plot.Tick {
	out := make([]plot.Tick, len(lines))
	for i, l := range lines {
		out[i] = plot.Tick{Value: float64(len(lines) - 1 - i), Label: l.name}
	}
	return out
}

func addWhisker(p *plot.Plot, l line, y float64) error {
	w, err := plotter.NewLine(plotter.XYs{{X: l.lo, Y: y}, {X: l.hi, Y: y}})
	if err != nil {
		return err
	}
	w.Width = vg.Points(2)
	w.Color = blue
	p.Add(w)
	return nil
}

var (
	blue   = color.RGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xff}
	orange = color.RGBA{R: 0xd9, G: 0x6c, B: 0x06, A: 0xff}
)

func addPoints(p *plot.Plot, estimates, others plotter.XYs) error {
	fitted, err := plotter.NewScatter(estimates)
	if err != nil {
		return err
	}
	fitted.GlyphStyle = draw.GlyphStyle{Color: blue, Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
	p.Add(fitted)
	p.Legend.Top = true
	p.Legend.Add("estimate, 95% interval", fitted)
	if len(others) == 0 {
		return nil
	}
	published, err := plotter.NewScatter(others)
	if err != nil {
		return err
	}
	published.GlyphStyle = draw.GlyphStyle{Color: orange, Radius: vg.Points(4), Shape: draw.CrossGlyph{}}
	p.Add(published)
	p.Legend.Add("published", published)
	return nil
}
