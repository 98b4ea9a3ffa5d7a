package main

import (
	"fmt"
	"io"
	"strings"

	"example.com/servemath/internal/cli"
	"example.com/servemath/internal/texttable"
	"example.com/servemath/kvcache"
)

// device is what an engine counts as one, with the memory that the data sheet
// states for it, in decimal GB: one half of a card or chip that shows as two.
// Unified is memory shared with the rest of the machine.
type device struct {
	name    string
	gb      int64
	unified bool
}

var devices = []device{
	{"b300", 288, false}, {"gb300", 288, false}, {"b200", 180, false}, {"gb200", 186, false},
	{"h200", 141, false}, {"h200-nvl", 141, false}, {"h100", 80, false}, {"h100-nvl", 94, false},
	{"gh200", 96, false}, {"gh200-144", 144, false}, {"h800", 80, false}, {"h20", 96, false},
	{"a100", 80, false}, {"a100-40", 40, false}, {"a800", 80, false}, {"a30", 24, false},
	{"l40s", 48, false}, {"l40", 48, false}, {"l4", 24, false}, {"a10", 24, false}, {"a40", 48, false},
	{"t4", 16, false}, {"v100", 32, false}, {"v100-16", 16, false},
	{"rtx-pro-6000", 96, false}, {"rtx-6000-ada", 48, false}, {"rtx-a6000", 48, false},
	{"rtx-5090", 32, false}, {"rtx-5080", 16, false}, {"rtx-4090", 24, false}, {"rtx-4080", 16, false},
	{"rtx-3090", 24, false}, {"rtx-3060", 12, false},
	{"dgx-spark", 128, true}, {"thor", 128, true}, {"orin", 64, true},
	{"mi355x", 288, false}, {"mi350x", 288, false}, {"mi325x", 256, false}, {"mi300x", 192, false},
	{"mi300a", 128, true}, {"mi250x-gcd", 64, false}, {"mi210", 64, false},
	{"w7900", 48, false}, {"r9700", 32, false}, {"rx-7900-xtx", 24, false}, {"ryzen-ai-max", 128, true},
	{"gaudi3", 128, false}, {"gaudi2", 96, false}, {"max-1550-tile", 64, false}, {"arc-b580", 12, false},
	{"tpu-v7-chiplet", 96, false}, {"tpu-v6e", 32, false}, {"tpu-v5p", 95, false}, {"tpu-v5e", 16, false},
	{"trn2", 96, false}, {"inf2", 32, false},
	{"m3-ultra", 512, true}, {"m2-ultra", 192, true}, {"m4-max", 128, true}, {"m4-pro", 64, true},
}

func (d device) kvcache() kvcache.Device {
	return kvcache.Device{Name: d.name, Memory: kvcache.Bytes(d.gb) * kvcache.GB, Unified: d.unified}
}

func findDevice(name string) (kvcache.Device, error) {
	key := strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(name))
	for _, d := range devices {
		if d.name == key {
			return d.kvcache(), nil
		}
	}
	return kvcache.Device{}, fmt.Errorf("-device: unknown %q; -device list shows the known, -memory takes any other", name)
}

func listDevices(w io.Writer, asJSON bool) error {
	type row struct {
		Name    string        `json:"name"`
		Memory  kvcache.Bytes `json:"memory_bytes"`
		Unified bool          `json:"unified"`
	}
	rows := make([]row, len(devices))
	t := texttable.New(texttable.Column{Title: "Device"}, texttable.Column{Title: "GB", Align: texttable.Right}, texttable.Column{Title: "Memory"})
	for i, d := range devices {
		rows[i] = row{d.name, d.kvcache().Memory, d.unified}
		kind := "its own"
		if d.unified {
			kind = "unified"
		}
		t.Row(d.name, fmt.Sprint(d.gb), kind)
	}
	if asJSON {
		return cli.WriteJSON(w, rows)
	}
	return t.Write(w, "")
}
