package kvcache

// kept is how many entries a layer keeps of a session of n tokens.
func (r *TokenRule) kept(n int64) int64 {
	switch limit := int64(r.N); r.Kind {
	case Window, Chunk:
		return min(n, limit)
	case Every:
		return n / limit
	case Encoder:
		return limit
	}
	return n
}

// entries is how many entries a block of so many tokens holds, 0 where one entry
// takes several blocks.
func (r *TokenRule) entries(tokens int64) int64 {
	switch n := int64(r.N); {
	case r.Kind != Every:
		return tokens
	case tokens < n:
		return 0
	default:
		return ceilDiv(tokens, n)
	}
}

// fixed reports whether the entries stop growing.
func (r *TokenRule) fixed() bool { return r.Kind == Window || r.Kind == Chunk || r.Kind == Encoder }

var tokenRules = [...]string{
	All:     "every token",
	Window:  "the tokens of the window",
	Chunk:   "the tokens of the chunk",
	Every:   "one entry for N tokens",
	Encoder: "the encoder's tokens",
}

// rule names the rule in a [Part].
func (r *TokenRule) rule() string { return tokenRules[r.Kind] }
