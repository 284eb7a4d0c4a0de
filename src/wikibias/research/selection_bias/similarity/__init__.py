"""How alike two words are: vectors trained or read, WordNet, a sentence encoder."""
