"""The local page on which people label sentences."""
