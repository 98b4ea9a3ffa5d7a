package main

import (
	"strconv"
	"strings"

	"example.com/servemath/internal/tsv"
	"example.com/servemath/testdata"
)

// published is what the page says beside its throughput tables, by platform and
// engine.
type published struct {
	strengths map[engineKey]strength
	installs  map[engineKey]install
	order     []engineKey // of the install sizes and strengths, as printed
}

type engineKey struct{ platform, engine string }

type strength struct {
	percent float64
	pairs   int
}

type install struct {
	text, version string
	bytes         int64
}

// The coverage and the workload that the page claims.
const (
	claimedMachines = 120
	claimedModels   = 27
	claimedEngines  = 13
	promptTokens    = 512
	outputTokens    = 256
)

func readPublished() (*published, error) {
	p := &published{strengths: map[engineKey]strength{}, installs: map[engineKey]install{}}
	for row, err := range tsv.Read(strings.NewReader(testdata.HeadToHead), "head_to_head.tsv", "platform", "engine", "strength_percent", "pairs") {
		if err != nil {
			return nil, err
		}
		if err := p.addStrength(row); err != nil {
			return nil, err
		}
	}
	for row, err := range tsv.Read(strings.NewReader(testdata.InstallSize), "install_size.tsv", "platform", "engine", "size_text", "bytes_decimal", "version") {
		if err != nil {
			return nil, err
		}
		if err := p.addInstall(row); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *published) addStrength(row tsv.Row) error {
	percent, err := row.Float("strength_percent")
	if err != nil {
		return err
	}
	pairs, err := strconv.Atoi(row.Text("pairs"))
	if err != nil {
		return row.Errorf("pairs", "%q is not a count", row.Text("pairs"))
	}
	p.strengths[p.key(row)] = strength{percent, pairs}
	return nil
}

func (p *published) addInstall(row tsv.Row) error {
	bytes, err := strconv.ParseInt(row.Text("bytes_decimal"), 10, 64)
	if err != nil {
		return row.Errorf("bytes_decimal", "%q is not a size", row.Text("bytes_decimal"))
	}
	p.installs[p.key(row)] = install{row.Text("size_text"), row.Text("version"), bytes}
	return nil
}

// key names a row's engine and remembers it once.
func (p *published) key(row tsv.Row) engineKey {
	k := engineKey{row.Text("platform"), row.Text("engine")}
	_, hasStrength := p.strengths[k]
	_, hasInstall := p.installs[k]
	if !hasStrength && !hasInstall {
		p.order = append(p.order, k)
	}
	return k
}
