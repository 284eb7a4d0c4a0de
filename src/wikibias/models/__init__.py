"""Classifiers of biased sentences: one protocol, one module per family, one evaluation."""
