"""Language models: what they are asked, who answers, and how often a server may be asked."""
