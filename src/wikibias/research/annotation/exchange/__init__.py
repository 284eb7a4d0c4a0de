"""The way to programs and spreadsheets that people annotate in, and the way back."""
