"""How classifiers are judged."""
