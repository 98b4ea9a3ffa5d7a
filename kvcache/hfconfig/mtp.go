package hfconfig

import (
	"fmt"
	"slices"

	"example.com/servemath/kvcache"
)

// modules are the layers of multi-token prediction, which serve speculation and
// are counted only on request.
func (c *config) modules() []kvcache.Group {
	if !c.opts.MTP || c.family.mtp == nil {
		c.noteModules()
		return nil
	}
	kinds := c.family.mtp(c)
	groups := c.group(kinds, c.layers)
	for i := range groups {
		groups[i].Name = "MTP " + groups[i].Name
	}
	return groups
}

// moduleKeys tell the number of MTP modules.
var moduleKeys = [...]string{"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "num_mtp_layers"}

// noteModules says that a config's MTP modules are not counted, or refuses to
// count those of a family whose modules are not known.
func (c *config) noteModules() {
	for _, key := range moduleKeys {
		n := c.modulesIn(key)
		if n == 0 {
			continue
		}
		if c.opts.MTP {
			c.fail(c.unmodelled(c.path, key))
		}
		c.omit(fmt.Sprintf("%s=%d: layers of multi-token prediction, counted with Options.MTP", key, n))
	}
}

// modulesOf are the layers of each MTP module, of which a key tells the number.
func modulesOf(key string, kinds ...string) func(*config) []string {
	return func(c *config) []string {
		c.listKey = key
		n := c.agreedModules(key)
		if n*len(kinds) > maxLayers {
			c.fail(c.inconsistent(key, fmt.Sprintf("%d modules of %d layers", n, len(kinds))))
			return nil
		}
		return slices.Repeat(kinds, n)
	}
}

// trailingModules are listed behind the decoder's layers, or there is no telling.
func trailingModules(list string) func(*config) []string {
	return func(c *config) []string {
		if len(c.trailing) != c.agreedModules("num_nextn_predict_layers") {
			c.missing(list)
		}
		return c.trailing
	}
}

// minimaxModules have as many layers each as another key says.
func minimaxModules(c *config) []string {
	perModule := max(1, min(c.count("mtp_transformer_layers"), maxModules))
	return modulesOf("num_mtp_modules", slices.Repeat([]string{fullLayer}, perModule)...)(c)
}

// agreedModules is the number of modules. Another key that tells another number
// leaves it open which is right.
func (c *config) agreedModules(key string) int {
	n := c.modulesIn(key)
	for _, other := range moduleKeys {
		if m := c.modulesIn(other); m > 0 && m != n {
			c.fail(c.inconsistent(other, fmt.Sprintf("%d modules, but %s=%d", m, key, n)))
		}
	}
	return n
}

func (c *config) modulesIn(key string) int {
	n, ok := c.value(key)
	if !ok {
		return 0
	}
	return c.integer(key, n, 0, maxModules)
}
