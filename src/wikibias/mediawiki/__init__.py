"""What MediaWiki says of titles, namespaces, accounts, redirects and addresses."""
