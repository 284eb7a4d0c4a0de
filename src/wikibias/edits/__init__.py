"""The sentence-level difference of a transition, and why it is kept or rejected."""
