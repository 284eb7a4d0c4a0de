"""The errors a user can act on. The command line turns each into one line and an exit code."""


class WikibiasError(Exception):
    """Something the user can mend; the message says what and how. Exit code 1."""

    exit_code = 1


class UsageError(WikibiasError):
    """The command was asked for something that does not exist or does not fit. Exit code 2."""

    exit_code = 2


class DumpError(WikibiasError):
    """A dump part that is damaged, cut off or no dump at all. Other parts go on."""


class DiskError(WikibiasError):
    """The result cannot be written: disk full, no permission. The whole run stops."""


class FetchError(WikibiasError):
    """A server cannot be reached, or does not give what it lists."""


class UnreachableError(FetchError):
    """No server answers at all: no network, a name that nobody knows, nobody at the address."""
