"""Corpora with several labels: what editors found wanting in a sentence, by intents or by tags."""
