package kvcache

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Device is what a model runs on.
type Device struct {
	Name    string
	Memory  Bytes
	Unified bool // shared with the rest of the machine
}

// Budget is the memory that each device gives to the weights and to sessions.
type Budget struct {
	Device Device
	// Allocation is the share of the memory that the engine gets: 0 means 0.95,
	// or 0.85 where memory is unified.
	Allocation float64
	// Share is the share of the allocation left for weights and sessions once
	// activations and the like have theirs: 0 means 0.90.
	Share   float64
	Weights Bytes // the whole checkpoint, divided over TP x PP devices
}

// resolved fills in the defaults and refuses what makes no sense.
func (b Budget) resolved() (Budget, error) {
	if b.Allocation == 0 {
		b.Allocation = 0.95
		if b.Device.Unified {
			b.Allocation = 0.85
		}
	}
	if b.Share == 0 {
		b.Share = 0.90
	}
	switch {
	case b.Device.Memory <= 0:
		return b, fmt.Errorf("%w: device %q has %d bytes of memory", ErrBudget, b.Device.Name, int64(b.Device.Memory))
	case !(b.Allocation > 0 && b.Allocation <= 1):
		return b, fmt.Errorf("%w: allocation is %v, not in (0, 1]", ErrBudget, b.Allocation)
	case !(b.Share > 0 && b.Share <= 1):
		return b, fmt.Errorf("%w: share is %v, not in (0, 1]", ErrBudget, b.Share)
	case b.Weights < 0:
		return b, fmt.Errorf("%w: weights are %d bytes", ErrBudget, int64(b.Weights))
	}
	return b, nil
}

// allocated, usable and free are the steps of the arithmetic, exact; they are
// rounded down to bytes only at the end.
func (b Budget) allocated() *big.Rat {
	return new(big.Rat).Mul(new(big.Rat).SetInt64(int64(b.Device.Memory)), exact(b.Allocation))
}

func (b Budget) usable() *big.Rat { return new(big.Rat).Mul(b.allocated(), exact(b.Share)) }

func (b Budget) weights(devices int) *big.Rat { return big.NewRat(int64(b.Weights), int64(devices)) }

func (b Budget) free(devices int) *big.Rat {
	return new(big.Rat).Sub(b.usable(), b.weights(devices))
}

// exact reads a share as the decimal it was written as: 0.95 is 95/100, not the
// nearest binary fraction. What is no number, which resolved refuses, is 0.
func exact(x float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// whole rounds down to bytes; a budget is far below 2^63 in size.
func whole(x *big.Rat) Bytes {
	n := floor(x)
	if !n.IsInt64() {
		return math.MinInt64
	}
	return Bytes(n.Int64())
}
