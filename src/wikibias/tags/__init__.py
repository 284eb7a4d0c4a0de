"""Tag sets, and finding their templates in wikitext."""
