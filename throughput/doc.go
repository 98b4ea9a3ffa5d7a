// Package throughput answers which engine is faster, by how much, and how sure
// that is, from measured rates and latencies.
//
// [Summarize] describes repeated measurements and says what is wrong with them:
// a warm-up, correlated neighbours, outliers, too few. [CompareEngines] pairs two
// engines over the machines and models that both ran on:
//
//	estimate = exp(mean(ln A/B))    over places, one platform, machine, model and setup each
//	verdict  = Student's t on the machines' mean log ratios, machines - 1 degrees of freedom
//
// Rows of one machine move together: a test over rows calls differences
// established that a second machine would undo, so the verdict never uses one.
// A difference within the margin, 3% unless set, is Equivalent however sure it
// is; neither is Inconclusive.
//
//	rows, err := throughput.ReadTable(file)  // "Pie 205 · MLX 185 · llama.cpp 166"
//	c, err := throughput.CompareEngines(rows, "Pie", "MLX", nil)
//	fmt.Println(c)
//
// # Units
//
// Seconds, tokens per second, requests per second. A row's value is in whatever
// unit all rows share; a ratio has none.
//
// # What it refuses
//
// No observations, values that are no finite number, ratios of values that are
// not positive, an engine measured twice in one place, engines without a common
// place, and tables that are not in the published form: typed errors name the
// index, the row, or the line and column.
package throughput
