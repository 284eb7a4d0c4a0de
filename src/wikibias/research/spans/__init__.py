"""Marks biased words: labels of words, their scores, and the taggers that give them."""
