"""MediaWiki's rules for titles, namespaces, accounts, redirects and URLs of diffs."""
