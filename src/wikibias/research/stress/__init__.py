"""Stress tests of classifiers: cases from templates, predictions, and how many are as expected."""
