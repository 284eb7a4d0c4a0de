"""Template counts, and how tag sets grow from them."""
