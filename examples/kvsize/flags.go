package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/kvcache"
)

// options are the flags as given.
type options struct {
	contexts, formats, tps           string
	engine, stateFormat              string
	pp, dp, dcp, copies, draft       int
	device, memory                   string
	unified                          bool
	allocation, share                float64
	weights, index, checkpoint, log  string
	images, encoder                  int
	mtp, noDefaults, explain, asJSON bool
}

func flags(fs *flag.FlagSet) *options {
	o := new(options)
	fs.StringVar(&o.contexts, "context", "", "session lengths, in `tokens` with commas between (default 4096,16384,65536 and the window)")
	fs.StringVar(&o.formats, "format", "", "cache `formats` with commas between (default fp8,bf16)")
	fs.StringVar(&o.tps, "tp", "1,2,4,8", "tensor-parallel `sizes` with commas between")
	fs.StringVar(&o.engine, "engine", "logical", "`engine` whose accounting the tables follow: "+strings.Join(engineNames(), ", "))
	fs.StringVar(&o.stateFormat, "state-format", "", "`format` of every recurrent state (default: each its own)")
	fs.IntVar(&o.pp, "pp", 1, "pipeline-parallel `size`")
	fs.IntVar(&o.dp, "dp", 1, "`copies` of the whole model")
	fs.IntVar(&o.dcp, "dcp", 1, "decode-context-parallel `size`")
	fs.IntVar(&o.copies, "state-copies", 0, "`copies` of each recurrent state (default: the engine's)")
	fs.IntVar(&o.draft, "draft", 0, "speculative `tokens`")
	fs.StringVar(&o.device, "device", "", "count sessions on this `device`; list shows the known")
	fs.StringVar(&o.memory, "memory", "", "memory of the device, a `size` such as 96GB or 81559MiB")
	fs.BoolVar(&o.unified, "unified", false, "the memory is shared with the rest of the machine")
	fs.Float64Var(&o.allocation, "allocation", 0, "`share` of the memory that the engine gets (default 0.95, unified 0.85)")
	fs.Float64Var(&o.share, "share", 0, "`share` of that for weights and sessions (default 0.9)")
	fs.StringVar(&o.weights, "weights", "", "`size` of the checkpoint, such as 32GB")
	fs.StringVar(&o.index, "index", "", "a model.safetensors.index.json `file` with the size of the weights")
	fs.StringVar(&o.checkpoint, "checkpoint", "", "a `folder` of safetensors files, whose headers give the size of the weights")
	fs.StringVar(&o.log, "log", "", "an engine's start-up log `file`, to hold against the prediction")
	fs.IntVar(&o.images, "images", 0, "`images` that a session attends to across")
	fs.IntVar(&o.encoder, "encoder", 0, "encoder `tokens` (default: as many as the config allows)")
	fs.BoolVar(&o.mtp, "mtp", false, "count the layers of multi-token prediction")
	fs.BoolVar(&o.noDefaults, "no-defaults", false, "refuse a config that leaves anything to a default")
	fs.BoolVar(&o.explain, "explain", false, "list every default and, with a device, show the arithmetic from its memory to the sessions")
	fs.BoolVar(&o.asJSON, "json", false, "print JSON")
	return o
}

var engines = []kvcache.Engine{kvcache.Logical(), kvcache.VLLM(), kvcache.SGLang(), kvcache.LlamaCpp()}

func engineNames() []string {
	names := make([]string, len(engines))
	for i, e := range engines {
		names[i] = e.Name
	}
	return names
}

func findEngine(name string) (kvcache.Engine, error) {
	for _, e := range engines {
		if e.Name == name {
			return e, nil
		}
	}
	return kvcache.Engine{}, fmt.Errorf("-engine: unknown %q; known: %s", name, strings.Join(engineNames(), ", "))
}

// numbers reads a list of positive numbers, each once.
func numbers(flagName, list string) ([]int, error) {
	var out []int
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-%s: %q is not a number from 1 on", flagName, s)
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

func formats(list string) ([]kvcache.Format, error) {
	var out []kvcache.Format
	for s := range strings.SplitSeq(list, ",") {
		f, err := kvcache.ParseFormat(s)
		if err != nil {
			return nil, fmt.Errorf("-format: %w", err)
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, nil
}

// question turns the flags into what is asked of the model.
func (o *options) question(in *input) (*question, error) {
	q := &question{input: in, formatGiven: o.formats != "", wantsDevice: o.device != "" || o.memory != ""}
	var err error
	if q.tokens, err = o.tokens(in.model.ContextWindow); err != nil {
		return nil, err
	}
	if q.tps, err = numbers("tp", o.tps); err != nil {
		return nil, err
	}
	if q.formats, err = formats(orElse(o.formats, "fp8,bf16")); err != nil {
		return nil, err
	}
	if q.setup.Engine, err = findEngine(o.engine); err != nil {
		return nil, err
	}
	if o.stateFormat != "" {
		if q.setup.StateFormat, err = kvcache.ParseFormat(o.stateFormat); err != nil {
			return nil, fmt.Errorf("-state-format: %w", err)
		}
	}
	if min(o.pp, o.dp, o.dcp) < 1 {
		return nil, fmt.Errorf("-pp %d -dp %d -dcp %d: each is a number from 1 on", o.pp, o.dp, o.dcp)
	}
	q.setup.Parallel = kvcache.Parallel{PP: o.pp, DP: o.dp, DCP: o.dcp}
	q.setup.StateCopies, q.setup.SpeculativeTokens = o.copies, o.draft
	q.budget, err = o.budget(in)
	return q, err
}

func (o *options) tokens(window int) ([]int, error) {
	if o.contexts != "" {
		return numbers("context", o.contexts)
	}
	var out []int
	for _, n := range []int{4096, 16384, 65536} {
		if window == 0 || n < window {
			out = append(out, n)
		}
	}
	if window > 0 {
		out = append(out, window)
	}
	return out, nil
}

func (o *options) budget(in *input) (kvcache.Budget, error) {
	b := kvcache.Budget{Allocation: o.allocation, Share: o.share, Weights: in.weights}
	if o.device != "" {
		d, err := findDevice(o.device)
		if err != nil {
			return b, err
		}
		b.Device = d
	}
	if o.memory != "" {
		m, err := kvcache.ParseBytes(o.memory)
		if err != nil {
			return b, fmt.Errorf("-memory: %w", err)
		}
		b.Device.Memory = m
		b.Device.Name = orElse(b.Device.Name, "the device")
	}
	b.Device.Unified = b.Device.Unified || o.unified
	if (o.allocation != 0 || o.share != 0 || o.unified) && b.Device.Memory == 0 {
		return b, errors.New("-allocation, -share and -unified need a -device or its -memory")
	}
	return b, nil
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
