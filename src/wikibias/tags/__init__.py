"""Tag sets, and the search for their templates in wikitext."""
