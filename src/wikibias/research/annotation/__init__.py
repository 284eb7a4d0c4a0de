"""Annotation: samples, where people label them, language models as annotators, and agreement."""
