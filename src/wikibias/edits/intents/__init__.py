"""What an edit changed, line by line and word by word, and the facts that rules of intents read."""
