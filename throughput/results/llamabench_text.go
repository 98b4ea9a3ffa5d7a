package results

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/throughput"
)

// decodeLlamaBenchCSV reads -o csv.
func decodeLlamaBenchCSV(s *source) []throughput.Run {
	lines := s.text.lines
	start := slices.IndexFunc(lines, func(l line) bool { return strings.Contains(l.s, "n_prompt,") })
	if start < 0 {
		return nil
	}
	rows := func(yield func(row) bool) {
		for _, l := range lines[start+1:] {
			if l.s != "" && !yield(splitCSV(l)) {
				return
			}
		}
	}
	return llamaRows(s, s.records(splitCSV(lines[start]).cells, rows), decodeLlamaRow)
}

var (
	sqlInsert = regexp.MustCompile(`^INSERT INTO \S+ \(([^)]*)\) VALUES \((.*)\);$`)
	llamaName = regexp.MustCompile(`^(?:pp ?(\d+))?\+?(?:tg ?(\d+))?(?: @ d(\d+))?$`)
	llamaMade = regexp.MustCompile(`^build: (\S+) \((\d+)\)`)
)

// decodeLlamaBenchSQL reads the INSERT statements of -o sql.
func decodeLlamaBenchSQL(s *source) []throughput.Run {
	if s.endsInside(func(last string) bool { return strings.HasSuffix(last, ";") }) {
		return nil
	}
	rows := func(yield func(object) bool) {
		for _, l := range s.text.lines {
			if !strings.HasPrefix(l.s, "INSERT") {
				continue
			}
			m := sqlInsert.FindStringSubmatch(l.s)
			if m == nil {
				s.fault("", l.at, errors.New("not INSERT INTO table (columns) VALUES (values);"))
				return
			}
			header := strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")
			one := slices.Values([]row{{line: l, cells: sqlValues(m[2]), whole: true}})
			for o := range s.records(header, one) {
				if !yield(o) {
					return
				}
			}
			if s.err != nil {
				return
			}
		}
	}
	return llamaRows(s, rows, decodeLlamaRow)
}

// sqlValues splits 'a', 'b' at the commas outside quotes.
func sqlValues(list string) []string {
	var cells []string
	for rest, more := list, true; more; {
		quoted := strings.HasPrefix(rest, "'")
		end := strings.IndexByte(rest, ',')
		if quoted {
			if close := strings.Index(rest[1:], "'"); close >= 0 {
				end = close + 2
			}
		}
		if more = end >= 0 && end < len(rest); !more {
			end = len(rest)
		}
		cells = append(cells, strings.Trim(rest[:end], "'"))
		if more {
			rest = strings.TrimLeft(strings.TrimPrefix(rest[end:], ","), " ")
		}
	}
	return cells
}

// decodeLlamaBenchMarkdown reads the default output, which prints only columns
// that differ from their default, and the build below the table.
func decodeLlamaBenchMarkdown(s *source) []throughput.Run {
	if s.endsInside(func(last string) bool { return closedRow(last) || llamaMade.MatchString(last) }) {
		return nil
	}
	runs := llamaRows(s, s.tables("model", "test", "t/s"), decodeLlamaMarkdownRow)
	for _, l := range s.text.lines {
		if m := llamaMade.FindStringSubmatch(l.s); m != nil {
			for i := range runs {
				runs[i].Key.Version = fmt.Sprintf("b%s (%s)", m[2], m[1])
			}
		}
	}
	return runs
}

func decodeLlamaMarkdownRow(o object, r *run) {
	m := llamaName.FindStringSubmatch(o.text("test"))
	if m == nil || m[1]+m[2] == "" {
		o.faultAt("test", fmt.Errorf("%q names no test", o.text("test")))
		return
	}
	t := llamaTest{atoi(m[1]), atoi(m[2]), atoi(m[3])}
	r.llamaRun(t)
	r.Key.Platform, r.Key.Model = o.text("backend"), o.text("model")
	mean, sd, _ := strings.Cut(o.text("t/s"), "±")
	rates := object{src: o.src, at: o.at, cells: map[string]string{"t/s": strings.TrimSpace(mean), "t/s ±": strings.TrimSpace(sd)}}
	r.repeated(rates, t, "t/s", "t/s ±")
}

// atoi reads digits that a pattern matched; empty and overlong are 0.
func atoi(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
