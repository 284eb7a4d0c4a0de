"""Prompts for language models as annotators, and what their answers say."""
