// Package logits reads the files and responses that carry logits or
// log-probabilities of a language model, as sources for package correctness.
package logits
