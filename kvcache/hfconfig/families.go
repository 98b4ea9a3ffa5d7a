package hfconfig

import "slices"

// families is the registry. Class defaults are those of the transformers
// library's configuration classes.
var families = slices.Concat(fullFamilies, windowFamilies, latentFamilies, linearFamilies, mambaFamilies, encoderFamilies)
