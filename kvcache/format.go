package kvcache

// Format is how the elements of a cache are stored: in whole blocks per head and
// token.
type Format struct {
	Name        string
	BlockValues int64 // values in a block
	BlockBytes  int64 // bytes of a block
	RowBytes    int64 // bytes beside the blocks per head and token, such as scales
}
