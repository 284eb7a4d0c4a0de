"""wikibias: sentences that Wikipedia's own editors found not neutral, from revision histories."""

# Here and nowhere else; asking for the installed version takes longer than all other imports of
# many a command.
__version__ = "0.1.0"
