"""Selection bias: how near the topics of a corpus are to words that it may be searched with."""
