"""The sections of the page on selection bias, each made of the result of the measurement."""
