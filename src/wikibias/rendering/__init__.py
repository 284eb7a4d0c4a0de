"""The kit that pages and figures are drawn with."""
