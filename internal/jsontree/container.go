package jsontree

// array parses the items of an array, its bracket at p.pos.
func (p *parser) array(n *Node) error {
	mark, err := p.open()
	if err != nil {
		return err
	}
	for first := true; ; first = false {
		done, err := p.closes(']', first)
		if err != nil {
			return err
		}
		if done {
			p.close(n, mark)
			return nil
		}
		kid, err := p.parse("")
		if err != nil {
			return err
		}
		p.stack = append(p.stack, kid)
	}
}

// object parses the members of an object, its brace at p.pos.
func (p *parser) object(n *Node) error {
	mark, err := p.open()
	if err != nil {
		return err
	}
	for first := true; ; first = false {
		done, err := p.closes('}', first)
		if err != nil {
			return err
		}
		if done {
			p.close(n, mark)
			return p.unique(n.kids)
		}
		kid, err := p.member()
		if err != nil {
			return err
		}
		p.stack = append(p.stack, kid)
	}
}

// open enters a container and returns where its items begin on the stack.
func (p *parser) open() (mark int, err error) {
	if p.depth++; p.depth > MaxDepth {
		return 0, p.errorf(ErrDepth, "nested more than %d deep", MaxDepth)
	}
	p.pos++
	return len(p.stack), nil
}

// close moves the items of a container to the slab.
func (p *parser) close(n *Node, mark int) {
	n.kids = p.keep(p.stack[mark:])
	clear(p.stack[mark:])
	p.stack = p.stack[:mark]
	p.depth--
}

// closes consumes the closing byte, or the comma that another item follows.
func (p *parser) closes(close byte, first bool) (bool, error) {
	if p.skipSpace() == len(p.s) {
		return false, p.truncated()
	}
	switch c := p.s[p.pos]; {
	case c == close:
		p.pos++
		return true, nil
	case first:
		return false, nil
	case c == ',':
		p.pos++
		if p.skipSpace() < len(p.s) && p.s[p.pos] == close {
			return false, p.errorf(nil, "a comma before %q", close)
		}
		return false, nil
	}
	return false, p.errorf(nil, "%q where a comma or %q belongs", p.s[p.pos], close)
}

func (p *parser) member() (Node, error) {
	if p.skipSpace() == len(p.s) {
		return Node{}, p.truncated()
	}
	if p.s[p.pos] != '"' {
		return Node{}, p.errorf(nil, "%q where a quoted key belongs", p.s[p.pos])
	}
	key, err := p.str()
	if err != nil {
		return Node{}, err
	}
	switch {
	case p.skipSpace() == len(p.s):
		return Node{}, p.truncated()
	case p.s[p.pos] != ':':
		return Node{}, p.errorf(nil, "%q where a colon belongs, after key %q", p.s[p.pos], key)
	}
	p.pos++
	return p.parse(key)
}

// keep copies nodes to the slab. A full slab is left to the nodes in it.
func (p *parser) keep(nodes []Node) []Node {
	if len(nodes) == 0 {
		return nil
	}
	if len(p.slab)+len(nodes) > cap(p.slab) {
		const textPerNode, first, most = 24, 256, 4096 // bytes of text in small files, and nodes
		p.slab = make([]Node, 0, max(len(nodes), min(2*cap(p.slab), most), min(len(p.s)/textPerNode, first), 8))
	}
	from := len(p.slab)
	p.slab = append(p.slab, nodes...)
	return p.slab[from:len(p.slab):len(p.slab)]
}
