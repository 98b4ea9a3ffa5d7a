package correctness

import "math"

// DecodeF16 writes the float32 values of IEEE 754 half-precision codes, exactly,
// infinities and NaN included. dst and src have one length, or it is ErrVocab.
func DecodeF16(dst []float32, src []uint16) error {
	if len(dst) != len(src) {
		return decodeError(len(dst), len(src))
	}
	for i, h := range src {
		dst[i] = halfFloat(h)
	}
	return nil
}

// DecodeBF16 is [DecodeF16] for bfloat16, the upper half of a float32.
func DecodeBF16(dst []float32, src []uint16) error {
	if len(dst) != len(src) {
		return decodeError(len(dst), len(src))
	}
	for i, h := range src {
		dst[i] = math.Float32frombits(uint32(h) << 16)
	}
	return nil
}

func decodeError(dst, src int) error {
	return inputError(ErrVocab, -1, "%d codes for %d values", src, dst)
}

// halfFloat widens the exponent by scaling: the bits shifted into a float32's
// place are the value times 2^-112, subnormals included.
func halfFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	bits := uint32(h&0x7fff) << 13
	if bits >= 0x7c00<<13 { // infinity and NaN
		return math.Float32frombits(sign | bits | 0x7f800000)
	}
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(bits)*0x1p112))
}
