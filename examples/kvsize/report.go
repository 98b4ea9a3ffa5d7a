package main

import "example.com/servemath/kvcache"

// report is the answer, for text and for programs alike.
type report struct {
	Source      string        `json:"source"`
	Model       modelInfo     `json:"model"`
	Weights     kvcache.Bytes `json:"weights_bytes"`
	WeightsFrom string        `json:"weights_from"` // empty: not known
	Engine      string        `json:"engine"`
	TPs         []int         `json:"tp"` // as asked, without those that the model does not allow
	Sizes       []size        `json:"sizes"`
	Chosen      chosen        `json:"chosen"`
	Engines     []engineSize  `json:"engines"`
	Device      *deviceInfo   `json:"device,omitempty"`
	Log         []logCheck    `json:"log,omitempty"`
	Warnings    []string      `json:"warnings,omitempty"`
}

type modelInfo struct {
	Name          string      `json:"name"`
	ContextWindow int         `json:"context_window"`
	DType         string      `json:"dtype"`
	Layers        int         `json:"layers"`
	Groups        []groupInfo `json:"groups"`
	Defaults      []string    `json:"defaults"`
	Omitted       []string    `json:"omitted"`
}

type groupInfo struct {
	Name   string `json:"name"`
	Layers int    `json:"layers"`
	Keeps  string `json:"keeps"`
	Holds  string `json:"holds"`
	Key    string `json:"key"`
}

// size is one session, and what each device holds of it at each TP.
type size struct {
	Tokens    int                   `json:"tokens"`
	Format    string                `json:"format"`
	Session   kvcache.Bytes         `json:"session_bytes"`
	PerDevice map[int]kvcache.Bytes `json:"per_device_bytes_by_tp"`
}

// chosen is the session that the parts, the engines and the arithmetic are about:
// the longest, in the first format at the first TP.
type chosen struct {
	Tokens    int               `json:"tokens"`
	Format    string            `json:"format"`
	TP        int               `json:"tp"`
	Footprint kvcache.Footprint `json:"footprint"`
}

type engineSize struct {
	Engine    string            `json:"engine"`
	AsOf      string            `json:"as_of,omitempty"`
	Format    string            `json:"format"`
	Footprint kvcache.Footprint `json:"footprint"`
	Sessions  *int              `json:"sessions,omitempty"` // at the first TP, where they were counted
	Pool      *kvcache.Pool     `json:"pool,omitempty"`
	PoolNote  string            `json:"pool_note,omitempty"`
	Error     string            `json:"error,omitempty"`
}

// deviceInfo is about the first format.
type deviceInfo struct {
	Name     string              `json:"name"`
	Memory   kvcache.Bytes       `json:"memory_bytes"`
	Format   string              `json:"format"`
	Sessions []kvcache.Occupancy `json:"sessions"` // contexts by TP
	Longest  map[int]longest     `json:"longest_by_tp"`
}

// longest is the longest context that one session can have.
type longest struct {
	Tokens int  `json:"tokens"`
	Window bool `json:"window"` // it is the model's window, not the memory, that ends it
}
