package bt

// disjoint is a union-find forest over items.
type disjoint struct {
	parent []int32
	sets   int
}

func newDisjoint(n int) *disjoint {
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i)
	}
	return &disjoint{parent, n}
}

func (d *disjoint) find(i int32) int32 {
	for d.parent[i] != i {
		d.parent[i] = d.parent[d.parent[i]]
		i = d.parent[i]
	}
	return i
}

// join keeps the smaller root, so that a set is named after its first item.
func (d *disjoint) join(i, j int32) {
	i, j = d.find(i), d.find(j)
	if i != j {
		d.parent[max(i, j)] = min(i, j)
		d.sets--
	}
}

// groups lists the sets by first item, each in item order.
func (d *disjoint) groups() [][]int32 {
	number := make([]int, len(d.parent))
	var out [][]int32
	for i := range d.parent {
		root := d.find(int32(i))
		if root == int32(i) {
			number[i] = len(out)
			out = append(out, nil)
		}
		g := number[root]
		out[g] = append(out[g], int32(i))
	}
	return out
}
