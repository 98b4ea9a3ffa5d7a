package main

import (
	"bytes"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"testing"
)

// Each chart is a picture of the size asked for, in which something is drawn.
func TestCharts(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := run([]string{"-out", dir}, &out); err != nil {
		t.Fatal(err)
	}
	for _, c := range charts {
		f, err := os.Open(filepath.Join(dir, c.name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, _, err := image.Decode(f)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if n := colours(m); n < 4 {
			t.Errorf("%s: %d colours: nothing is drawn", c.name, n)
		}
	}
}

func colours(m image.Image) int {
	seen := map[any]bool{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			seen[m.At(x, y)] = true
		}
	}
	return len(seen)
}

func TestBadFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-out", file}, &bytes.Buffer{}); err == nil {
		t.Error("a file is no folder")
	}
}
