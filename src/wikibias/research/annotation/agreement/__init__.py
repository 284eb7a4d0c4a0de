"""Agreement: how far annotators say the same, and who or what stands apart."""
