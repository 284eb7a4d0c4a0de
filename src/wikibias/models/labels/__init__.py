"""Sentences with several labels: reading, judging and training, where not all labels are judged."""
