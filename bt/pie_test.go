package bt

import (
	"strconv"
	"strings"
	"testing"

	"example.com/servemath/testdata"
	"github.com/stretchr/testify/require"
)

// pieContests are the published throughputs of one platform and setup, one
// contest a machine and model.
func pieContests(tb testing.TB, platform, setup string) []Contest {
	tb.Helper()
	var out []Contest
	at := map[[2]string]int{}
	lines := strings.Split(strings.TrimSpace(testdata.Measurements), "\n")
	require.Equal(tb, "line	row	platform	machine	model	setup	rank	engine	tok_per_s", lines[0])
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if f[2] != platform || f[5] != setup {
			continue
		}
		key := [2]string{f[3], f[4]}
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			out = append(out, Contest{
				Scores: map[string]float64{},
				Group:  map[string]string{"machine": f[3], "model": f[4], "run": f[3] + " " + f[4]},
			})
		}
		speed, err := strconv.ParseFloat(f[8], 64)
		require.NoError(tb, err)
		out[k].Scores[f[7]] = speed
	}
	require.NotEmpty(tb, out)
	return out
}

// pieData has the platform's engines in the given order.
func pieData(tb testing.TB, platform, setup string, engines []string) *Data {
	tb.Helper()
	d := new(Data)
	for _, e := range engines {
		d.item(e)
	}
	for _, c := range pieContests(tb, platform, setup) {
		d.AddContest(c, nil)
	}
	require.Len(tb, d.items, len(engines))
	return d
}

func nvidia(tb testing.TB) (*golden, *Data) {
	g := readGolden(tb, "e_nvidia_single")
	return g, pieData(tb, "NVIDIA GPU", "Single decode", g.Players)
}
