"""wikibias: sentences that Wikipedia's own editors found not neutral, from revision histories."""

from importlib.metadata import version

__version__ = version("wikibias")
