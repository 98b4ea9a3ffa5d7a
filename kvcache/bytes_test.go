package kvcache_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

func TestBytesString(t *testing.T) {
	for b, want := range map[kvcache.Bytes]string{
		0:                       "0 B (0 GB, 0 GiB)",
		1:                       "1 B (0.000000001 GB, 0.0000000009313 GiB)",
		-82_680_000_000:         "-82680000000 B (-82.68 GB, -77 GiB)",
		kvcache.GiB:             "1073741824 B (1.074 GB, 1 GiB)",
		kvcache.GB:              "1000000000 B (1 GB, 0.9313 GiB)",
		50_080_000_000:          "50080000000 B (50.08 GB, 46.64 GiB)",
		288 * kvcache.GB:        "288000000000 B (288 GB, 268.2 GiB)",
		1<<63 - 1:               "9223372036854775807 B (9223372037 GB, 8589934592 GiB)",
		-1 << 63:                "-9223372036854775808 B (-9223372037 GB, -8589934592 GiB)",
		999_999_999_999:         "999999999999 B (1000 GB, 931.3 GiB)",
		62_546_177_752:          "62546177752 B (62.55 GB, 58.25 GiB)",
		1000 * 1000 * 1000 * 10: "10000000000 B (10 GB, 9.313 GiB)",
	} {
		require.Equal(t, want, b.String())
	}
}

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]kvcache.Bytes{
		"96GB":                   96_000_000_000,
		"96 gb":                  96_000_000_000,
		" 96 GiB ":               96 << 30,
		"62.55GB":                62_550_000_000,
		"5.38 GiB":               5_776_731_013, // 5776731013.12
		"0.1GB":                  100_000_000,
		"1.5 kB":                 1500,
		"1KiB":                   1024,
		"2560 MiB":               2560 << 20,
		"1.25TB":                 1_250_000_000_000,
		"2 TiB":                  2 << 40,
		"9223372036854775807 B":  1<<63 - 1,
		"0B":                     0,
		"0.5B":                   1, // half up
		"0.49999B":               0,
		".5 kb":                  500,
		"0.00000000000000001 GB": 0,
	} {
		got, err := kvcache.ParseBytes(s)
		require.NoError(t, err, s)
		require.Equal(t, want, got, s)
	}
}

func TestParseBytesRefuses(t *testing.T) {
	for s, want := range map[string]error{
		"96":                                kvcache.ErrUnit,
		"96 G":                              kvcache.ErrUnit,
		"96 Gi":                             kvcache.ErrUnit,
		"96 Gb":                             kvcache.ErrUnit, // gigabits
		"96 Mb":                             kvcache.ErrUnit,
		"96 GBs":                            kvcache.ErrUnit,
		"":                                  kvcache.ErrUnit,
		"96Ge":                              kvcache.ErrUnit,
		"NaNGB":                             kvcache.ErrUnit,
		"-96GB":                             strconv.ErrSyntax,
		"+96GB":                             strconv.ErrSyntax,
		"1e3GB":                             strconv.ErrSyntax,
		"0x1B":                              strconv.ErrSyntax,
		"1_000 GB":                          strconv.ErrSyntax,
		"1,000 GB":                          strconv.ErrSyntax,
		"1/2 GB":                            strconv.ErrSyntax,
		"NaN GB":                            strconv.ErrSyntax,
		"９ GB":                              strconv.ErrSyntax, // a wide digit
		"GB":                                strconv.ErrSyntax,
		"1.2.3 GB":                          strconv.ErrSyntax,
		".GB":                               strconv.ErrSyntax,
		strings.Repeat("9", 100) + "GB":     strconv.ErrSyntax,
		"9223372036854775808B":              kvcache.ErrOverflow,
		"9000000 TiB":                       kvcache.ErrOverflow,
		"99999999999999999999999999999 GiB": kvcache.ErrOverflow,
	} {
		got, err := kvcache.ParseBytes(s)
		require.ErrorIs(t, err, want, s)
		require.Zero(t, got, s)
	}
}

func FuzzParseBytes(f *testing.F) {
	for _, s := range []string{"96GB", "5.38 GiB", "1.2.3 GB", "0.5B", "96", "999999999999999999 TiB"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := kvcache.ParseBytes(s)
		if err != nil {
			return
		}
		require.GreaterOrEqual(t, b, kvcache.Bytes(0))
		exact, _, _ := strings.Cut(b.String(), " (")
		again, err := kvcache.ParseBytes(exact)
		require.NoError(t, err)
		require.Equal(t, b, again)
	})
}

func ExampleBytes() {
	fmt.Println(96 * kvcache.GB)
	fmt.Println(96 * kvcache.GiB)
	// Output:
	// 96000000000 B (96 GB, 89.41 GiB)
	// 103079215104 B (103.1 GB, 96 GiB)
}

func ExampleParseBytes() {
	weights, err := kvcache.ParseBytes("62.55GB")
	fmt.Println(weights, err)
	_, err = kvcache.ParseBytes("96")
	fmt.Println(err)
	// Output:
	// 62550000000 B (62.55 GB, 58.25 GiB) <nil>
	// kvcache: size needs a unit: "96": B, or kB, MB, GB, TB, or KiB, MiB, GiB, TiB
}
