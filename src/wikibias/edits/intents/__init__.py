"""Intents of edits: what an edit changed, facts of it, and the rules over them."""
