package capacity

// Options of an estimate. The published rule has none: nil will do.
type Options struct{}
