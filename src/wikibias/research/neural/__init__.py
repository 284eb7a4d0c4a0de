"""Encoders and sequence-to-sequence models: the one room that knows torch and transformers."""
