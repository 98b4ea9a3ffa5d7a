// Package stat holds the statistics of benchmark results that gonum lacks: tests
// and intervals for small samples with ties, quantiles by every definition in
// use, and the checks of a series for drift and correlation.
//
// Intervals are [Interval]: an estimate, two limits and the level attained, which
// for exact intervals of small samples is above the one asked for. P values are
// two-sided unless they say otherwise.
//
// Nothing here panics on data. An empty sample, too small a sample, a value that
// is not finite or exceeds 1e150 (its square would overflow) and, where logarithms
// are taken, one that is not positive are errors that wrap a sentinel; an
// [InputError] names the value. Arguments are never changed.
package stat
