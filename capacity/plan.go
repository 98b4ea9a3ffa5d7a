package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// Config is one configuration on offer.
type Config struct {
	Name         string
	Sweep        *Sweep
	Memory       MemoryLimit
	PricePerHour float64 // of one replica, in any currency; 0: not known
	Watts        float64 // of one replica; 0: not known
	Options      *Options
}

// Choice is how one configuration serves the people asked for. Users are split
// evenly over the replicas and stay with theirs; the figures by time are at that
// load, not at the most a replica could do.
type Choice struct {
	Name            string
	Serves          bool
	Replicas        int // 0 where it does not serve
	UsersPerReplica int // of the fullest
	Capacity        Capacity
	Point           Point  // the fullest replica; its think time is what Capacity says
	Reason          string // what limits a replica, or why it does not serve

	// NaN where price or watts are not known or it does not serve.
	CostPerHour          float64
	CostPerUserHour      float64
	CostPerMillionTokens float64 // output tokens
	JoulesPerToken       float64 // output tokens
	UsersPerKW           float64
	OutputTPS            float64 // of all replicas
}

// Plan answers which configurations serve users people within the targets, with
// how many replicas, at what cost, what limits each and why the others do not:
// serving ones first, by cost an hour where known, then by replicas, then as
// given. Replicas are ceil(users / people one serves), with nothing to spare;
// users spread by hash instead of evenly need more.
//
// users is in 1 to 1e9 ([ErrUsers]). An error of one configuration names it;
// two of one name, no configuration, a negative price or power are an
// [*InputError].
func Plan(users int, u Usage, t Targets, configs []Config) ([]Choice, error) {
	if users < 1 || users > maxUsers {
		return nil, fmt.Errorf("%w: %d is not in 1 to 1e9", ErrUsers, users)
	}
	if err := checkConfigs(configs); err != nil {
		return nil, err
	}
	choices := make([]Choice, len(configs))
	for i, c := range configs {
		var err error
		if choices[i], err = c.choice(users, u, t); err != nil {
			return nil, fmt.Errorf("configuration %q: %w", c.Name, err)
		}
	}
	slices.SortStableFunc(choices, Choice.compare)
	return choices, nil
}

func checkConfigs(configs []Config) error {
	if len(configs) == 0 {
		return &InputError{0, "Configs", "none is given"}
	}
	seen := map[string]bool{}
	for _, c := range configs {
		switch {
		case seen[c.Name]:
			return &InputError{0, "Name", fmt.Sprintf("configuration %q is given twice", c.Name)}
		case !nonNegative(c.PricePerHour):
			return &InputError{0, "PricePerHour", fmt.Sprintf("configuration %q: %v is not a price", c.Name, c.PricePerHour)}
		case !nonNegative(c.Watts):
			return &InputError{0, "Watts", fmt.Sprintf("configuration %q: %v is not a power", c.Name, c.Watts)}
		}
		seen[c.Name] = true
	}
	return nil
}

// choice starts from what is not known and fills in what serving people adds.
func (c Config) choice(users int, u Usage, t Targets) (Choice, error) {
	capacity, err := Estimate(c.Sweep, t, u, c.Memory, c.Options)
	if err != nil {
		return Choice{}, err
	}
	nan := math.NaN()
	ch := Choice{
		Name: c.Name, Capacity: capacity, Reason: capacity.Explain(),
		CostPerHour: nan, CostPerUserHour: nan, CostPerMillionTokens: nan, JoulesPerToken: nan, UsersPerKW: nan, OutputTPS: nan,
	}
	if capacity.Users == 0 {
		return ch, nil
	}
	ch.Serves = true
	ch.Replicas = ceilDiv(users, capacity.Users)
	ch.UsersPerReplica = ceilDiv(users, ch.Replicas)
	if err := c.load(&ch, users, u); err != nil {
		return Choice{}, err
	}
	c.costs(&ch, users)
	return ch, nil
}

// load adds the work done for the people served: X at their number, not at the
// most, since a replica that is not full sells fewer tokens an hour.
func (c Config) load(ch *Choice, users int, u Usage) error {
	_, customers := u.pace()
	o := c.Options.withMemory(u, c.Memory)
	point := func(n int) (Point, error) { return c.Sweep.Closed(n*customers, ch.Capacity.ThinkSeconds, o) }
	var err error
	if ch.Point, err = point(ch.UsersPerReplica); err != nil {
		return err
	}
	ch.OutputTPS = ch.Point.OutputTPS * float64(ch.Replicas)
	// An even split leaves some replicas with one user less. Fewer users than
	// replicas cannot be, so those have at least one.
	if fuller := users % ch.Replicas; fuller > 0 {
		less, err := point(ch.UsersPerReplica - 1)
		if err != nil {
			return err
		}
		ch.OutputTPS = ch.Point.OutputTPS*float64(fuller) + less.OutputTPS*float64(ch.Replicas-fuller)
	}
	return nil
}

// costs adds what price and power make of the work.
func (c Config) costs(ch *Choice, users int) {
	if c.PricePerHour > 0 {
		ch.CostPerHour = c.PricePerHour * float64(ch.Replicas)
		ch.CostPerUserHour = ch.CostPerHour / float64(users)
		ch.CostPerMillionTokens = ch.CostPerHour / (3600 * ch.OutputTPS) * 1e6
	}
	if c.Watts > 0 {
		watts := c.Watts * float64(ch.Replicas)
		ch.JoulesPerToken = watts / ch.OutputTPS
		ch.UsersPerKW = float64(users) / (watts / 1000)
	}
}

func ceilDiv(a, b int) int { return (a-1)/b + 1 }

// compare orders serving choices first, then cheap, then few.
func (a Choice) compare(b Choice) int {
	if a.Serves != b.Serves {
		if a.Serves {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(known(a.CostPerHour), known(b.CostPerHour)), cmp.Compare(a.Replicas, b.Replicas))
}

// known puts an unknown cost last.
func known(cost float64) float64 {
	if math.IsNaN(cost) {
		return math.Inf(1)
	}
	return cost
}

// String is one line: the name, the replicas and the reason.
func (a Choice) String() string {
	if !a.Serves {
		return fmt.Sprintf("%s does not serve: %s", a.Name, a.Reason)
	}
	return fmt.Sprintf("%s x %d: %s", a.Name, a.Replicas, a.Reason)
}

// MarshalJSON writes the figures with stable names; unknown costs are left out.
func (a Choice) MarshalJSON() ([]byte, error) {
	o := jsonout.Object{
		{Name: "name", Value: a.Name},
		{Name: "serves", Value: a.Serves},
		{Name: "replicas", Value: a.Replicas},
		{Name: "users_per_replica", Value: a.UsersPerReplica},
		{Name: "cost_per_hour", Value: a.CostPerHour},
		{Name: "cost_per_user_hour", Value: a.CostPerUserHour},
		{Name: "cost_per_million_output_tokens", Value: a.CostPerMillionTokens},
		{Name: "joules_per_output_token", Value: a.JoulesPerToken},
		{Name: "users_per_kw", Value: a.UsersPerKW},
		{Name: "output_tps", Value: a.OutputTPS},
		{Name: "reason", Value: a.Reason},
		{Name: "capacity", Value: a.Capacity},
	}
	if a.Serves {
		o = append(o, jsonout.Field{Name: "point", Value: a.Point})
	}
	return o.MarshalJSON()
}
