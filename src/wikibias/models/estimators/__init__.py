"""The classifiers, found by name in `registry`."""
