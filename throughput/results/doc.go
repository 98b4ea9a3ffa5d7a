// Package results reads the files that benchmark tools write.
package results
