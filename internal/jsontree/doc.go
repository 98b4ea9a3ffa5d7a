// Package jsontree parses the JSON that tools write rather than the JSON of the
// standard: bare NaN, Infinity and -Infinity are values of their own kind, a byte
// order mark is skipped, and several values may follow one another. It is strict
// where leniency hides a fault: a duplicate key, a cut value, text that is not
// UTF-8 and nesting past a limit are errors that carry the offset.
//
// Every [Node] knows its offset, so that a reader can name the place of a value
// that it refuses.
package jsontree
