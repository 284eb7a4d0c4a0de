"""Work with corpora beyond the first paper; nothing outside this package imports it."""
