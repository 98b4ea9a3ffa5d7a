package capacity

// sum adds and collects, apart, what each addition rounds away (Ogita, Rump and
// Oishi 2005).
type sum struct{ s, c float64 }

func (a *sum) add(x float64) {
	t := a.s + x
	y := t - a.s
	a.c += (a.s - (t - y)) + (x - y)
	a.s = t
}

func (a *sum) value() float64 { return a.s + a.c }
