package hfconfig

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/kvcache"
)

// goldenRow is one line of testdata/golden.tsv.
type goldenRow struct {
	model, config, mode    string
	format                 kvcache.Format
	context, tp            int
	perToken               float64 // bytes; entries for several tokens make fractions
	fixed, session, device int64
}

func goldenRows(t *testing.T) (rows []goldenRow) {
	f, err := os.Open("testdata/golden.tsv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	r.LazyQuotes = true
	lines, err := r.ReadAll()
	require.NoError(t, err)
	for _, l := range lines[1:] {
		number := func(i int) int64 {
			n, err := strconv.ParseInt(l[i], 10, 64)
			require.NoError(t, err, "%v", l)
			return n
		}
		format, err := kvcache.ParseFormat(l[3])
		require.NoError(t, err)
		perToken, err := strconv.ParseFloat(l[6], 64)
		require.NoError(t, err)
		rows = append(rows, goldenRow{l[0], l[1], l[2], format, int(number(4)), int(number(5)), perToken, number(7), number(8), number(9)})
	}
	return rows
}

// setup is how a row is served; what the column mode says beyond a setup is set
// in the model.
func (g goldenRow) setup(m *kvcache.Model) kvcache.Setup {
	s := kvcache.Setup{Format: g.format, Parallel: kvcache.Parallel{TP: g.tp}, StateCopies: 1}
	if strings.Contains(g.model, "x2 state copies") {
		s.StateCopies = 2
	}
	if g.mode == "state fp32" || strings.Contains(g.model, "lightning, fp32 state") {
		s.StateFormat = kvcache.FP32
	}
	if strings.Contains(g.model, "SGLang default: fp32 state") {
		eachState(m, func(st *kvcache.State) {
			if st.Name == "recurrent" {
				st.Format = kvcache.FP32
			}
		})
	}
	switch g.mode {
	case "vllm fp8_ds_mla":
		s.Engine = kvcache.VLLM()
	case "vllm/sglang fp8_ds_mla":
		s.Engine = kvcache.SGLang()
	case "vllm per-tensor fp8 + 132 B indexer":
		for i := range m.Groups {
			for j := range m.Groups[i].Streams {
				if st := &m.Groups[i].Streams[j]; st.Name == "index" {
					st.Format = kvcache.FP8Index
				}
			}
		}
	}
	return s
}

func eachState(m *kvcache.Model, f func(*kvcache.State)) {
	for i := range m.Groups {
		for j := range m.Groups[i].States {
			f(&m.Groups[i].States[j])
		}
	}
}

func TestGolden(t *testing.T) {
	rows := goldenRows(t)
	require.Len(t, rows, 130)
	for _, g := range rows {
		t.Run(strings.Join([]string{g.model, g.mode, g.format.Name, strconv.Itoa(g.context), "TP" + strconv.Itoa(g.tp)}, " "), func(t *testing.T) {
			m, err := readFile(t, testkit.Samples(t, "kvcache", g.config), nil)
			require.NoError(t, err)
			f, err := m.Session(g.context, g.setup(m))
			require.NoError(t, err)
			assert.EqualValues(t, g.session, f.Session, "session")
			assert.EqualValues(t, g.device, f.PerDevice, "per device")
			assert.EqualValues(t, g.fixed, f.Window+f.State+f.Rounding, "fixed")
			assert.InDelta(t, g.perToken*float64(g.context), float64(f.Growing), 0, "growing")
		})
	}
}

func readFile(tb testing.TB, path string, o *Options) (*kvcache.Model, error) {
	f, err := os.Open(path)
	require.NoError(tb, err)
	defer f.Close()
	return ReadWith(f, o)
}
