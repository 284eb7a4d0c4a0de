"""Stages over parts: run, recorded, resumed."""
