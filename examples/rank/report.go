package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/servemath/bt"
	"example.com/servemath/internal/cli"
)

// report is what the program prints, as text or as JSON.
type report struct {
	Setup     string     `json:"setup"`
	Tie       float64    `json:"tie_within"`
	By        string     `json:"clustered_by,omitempty"`
	Platforms []platform `json:"platforms"`
	Footnote  []string   `json:"footnote"`
}

// platform is the ranking of one platform's engines, or why there is none.
type platform struct {
	Name      string              `json:"platform"`
	Contests  int                 `json:"machine_model_pairs"`
	Machines  int                 `json:"machines"`
	Models    int                 `json:"models"`
	NotRanked string              `json:"not_ranked,omitempty"`
	Engines   []engine            `json:"engines"`
	Pooled    []bt.PooledStanding `json:"pooled,omitempty"`
	LeftOut   []leftOut           `json:"left_out,omitempty"`
	Warnings  []string            `json:"warnings,omitempty"`
}

// engine is one line of a platform. What is unknown is left out.
type engine struct {
	Engine            string       `json:"engine"`
	Ranked            *bt.Standing `json:"fit,omitempty"`
	Speed             *bt.Interval `json:"speed_vs_geometric_mean,omitempty"`
	Note              string       `json:"note,omitempty"`
	PublishedStrength float64      `json:"published_strength_percent,omitempty"`
	PublishedPairs    int          `json:"published_pairs,omitempty"`
	InstallBytes      int64        `json:"install_bytes,omitempty"`
	InstallText       string       `json:"-"`
	Version           string       `json:"version,omitempty"`
}

func newReport(src *source, setup string, tie float64, by string) (*report, error) {
	if err := cli.OneOf("setup", setup, distinct(src.figures, setupOf)); err != nil {
		return nil, err
	}
	if math.IsNaN(tie) || tie < 0 || tie >= 1 {
		return nil, fmt.Errorf("-tie: %g is not a share in [0, 1)", tie)
	}
	if by != "" {
		if err := cli.OneOf("by", by, labels); err != nil {
			return nil, err
		}
	}
	rep := &report{Setup: setup, Tie: tie, By: by, Footnote: footnote(src)}
	for _, name := range distinct(src.figures, platformOf) {
		all := where(src.figures, platformOf, name)
		p, err := newPlatform(name, where(all, setupOf, setup), tie, by)
		if err != nil {
			return nil, err
		}
		p.addPublished(src.published, all)
		rep.Platforms = append(rep.Platforms, *p)
	}
	return rep, rep.addPooled(src)
}

// newPlatform ranks the engines of one platform's figures of one setup.
func newPlatform(name string, figures []figure, tie float64, by string) (*platform, error) {
	contests := contestsOf(figures)
	p := &platform{Name: name, Contests: len(contests),
		Machines: len(distinct(figures, machineOf)), Models: len(distinct(figures, modelOf))}
	err := p.rank(dataOf(contests, tie), by)
	if refused(err) {
		p.NotRanked = reason(err)
		for _, e := range distinct(figures, engineOf) {
			p.Engines = append(p.Engines, engine{Engine: e})
		}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return p, p.addSpeeds(dataOf(contests, tie), by)
}

// contestsOf makes one contest of the engines on each machine with each model.
func contestsOf(figures []figure) []bt.Contest {
	byPair := map[[2]string]map[string]float64{}
	for _, f := range figures {
		k := [2]string{f.machine, f.model}
		if byPair[k] == nil {
			byPair[k] = map[string]float64{}
		}
		byPair[k][f.engine] = f.tokPerS
	}
	order := slices.SortedFunc(maps.Keys(byPair), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	out := make([]bt.Contest, 0, len(order))
	for _, k := range order {
		out = append(out, bt.Contest{Scores: byPair[k], Group: map[string]string{"machine": k[0], "model": k[1]}})
	}
	return out
}

// refused reports that the data cannot rank the engines, which is an answer.
func refused(err error) bool {
	if errors.Is(err, bt.ErrNoData) {
		return true
	}
	_, disconnected := errors.AsType[*bt.DisconnectedError](err)
	_, separable := errors.AsType[*bt.SeparableError](err)
	return disconnected || separable
}

// addPublished puts the page's figures beside the fitted ones and adds the
// engines that it lists without a figure to rank them by.
func (p *platform) addPublished(pub *published, all []figure) {
	if pub == nil {
		return
	}
	for _, k := range pub.order {
		if k.platform != p.Name || slices.ContainsFunc(p.Engines, func(e engine) bool { return e.Engine == k.engine }) {
			continue
		}
		note := "no throughput row in any setup"
		if len(where(all, engineOf, k.engine)) > 0 {
			note = "no row in this setup"
		}
		p.Engines = append(p.Engines, engine{Engine: k.engine, Note: note})
	}
	for i := range p.Engines {
		e := &p.Engines[i]
		k := engineKey{p.Name, e.Engine}
		e.PublishedStrength, e.PublishedPairs = pub.strengths[k].percent, pub.strengths[k].pairs
		e.InstallBytes, e.InstallText, e.Version = pub.installs[k].bytes, pub.installs[k].text, pub.installs[k].version
	}
}

func footnote(src *source) []string {
	machines, models := len(distinct(src.figures, machineOf)), len(distinct(src.figures, modelOf))
	engines := len(distinct(src.figures, engineOf))
	speed := "Speed: ratio to the geometric mean of the platform's engines, from the log ratios of the same comparisons."
	if src.published == nil {
		return []string{speed, fmt.Sprintf("%s: %s, %s, %s.", count(len(src.figures), "figure"), count(machines, "machine"), count(models, "model"), count(engines, "engine"))}
	}
	return []string{
		speed,
		fmt.Sprintf("Workload: %d tokens in, %d out; a batched figure is the peak over the concurrency levels swept.", promptTokens, outputTokens),
		fmt.Sprintf("Coverage: the page claims %d machines, %d models and %d engines; its throughput tables hold %d, %d and %d.",
			claimedMachines, claimedModels, claimedEngines, machines, models, engines),
		"Published strengths and pair counts do not follow from the published tables by any fit that was tried; they are shown, not reproduced.",
	}
}
