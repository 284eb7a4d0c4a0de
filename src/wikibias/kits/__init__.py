"""One mechanism each for tables, folders, documents, commands, checked input and evaluation."""
