"""Trains, evaluates and runs classifiers of biased sentences."""
