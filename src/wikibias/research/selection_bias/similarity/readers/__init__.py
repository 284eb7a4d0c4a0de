"""Readers of word vectors, one for each kind of file; each keeps only what is sought."""
