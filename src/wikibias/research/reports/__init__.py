"""Pages on what research measured."""
