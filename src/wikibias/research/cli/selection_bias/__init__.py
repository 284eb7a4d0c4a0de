"""`wikibias selection-bias`: how close the topics of a corpus are to words it was searched with."""
