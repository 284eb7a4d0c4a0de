"""Sentence pairs: sentences, and what edits for neutrality made of them."""
