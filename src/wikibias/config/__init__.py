"""Settings, thresholds, languages and MediaWiki's facts, and where their files are found."""
