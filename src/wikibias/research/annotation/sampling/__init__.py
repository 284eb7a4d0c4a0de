"""Which sentences of a corpus people are asked about, in which order, and how many it takes."""
