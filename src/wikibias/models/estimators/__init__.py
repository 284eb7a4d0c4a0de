"""The classifiers, one module per family."""
