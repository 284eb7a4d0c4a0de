"""`python -m wikibias`."""

from wikibias.cli import main

main()
