package correctness

// Kind says what a row of values is. The zero value is Logits.
type Kind int

const (
	Logits   Kind = iota // unnormalised log-weights
	LogProbs             // natural logarithms of probabilities
	Probs                // probabilities
)

func (k Kind) known() bool { return k >= Logits && k <= Probs }

// Row is one position of one prompt: what an engine says of the next token.
// It carries either Values, one a vocabulary entry, or TopK.
type Row struct {
	Prompt    string
	Index     int // position within the prompt
	DataToken int // the token that followed in the text; -1 is unknown
	Kind      Kind
	Values    []float32
	TopK      *TopK
}

// TopK is a list of the most likely tokens with their log-probabilities, as APIs
// return it, in any order. Entries beyond the K most likely ones, such as the
// token of the text or ids that were asked for, count as known but do not bound
// the tokens that are not listed.
type TopK struct {
	IDs       []int32
	LogProbs  []float64 // natural logarithms
	VocabSize int       // 0 is unknown
	K         int       // how many of the entries are the most likely tokens; 0 is all, -1 none
}

// Source yields rows in order. Next fills row, reusing its slices, and returns
// [io.EOF] at the end. What it filled is left alone until it is handed that row
// again, with the DataToken back at -1.
type Source interface{ Next(*Row) error }
