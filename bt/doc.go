package bt
