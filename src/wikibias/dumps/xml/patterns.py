"""Compiles patterns over bytes: google-re2 where it is installed, else `re`."""

import re
from typing import Any

try:
    import re2
except ImportError:  # the extra [fast] is not installed
    re2 = None


def compiled(pattern: bytes) -> Any:
    """Compile a byte pattern with google-re2 where it is installed, else with `re`."""
    if re2 is None:
        return re.compile(pattern)
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = 1 << 26
    return re2.compile(pattern, options)


# An "&" that does not start one of the five escapes that MediaWiki writes.
ODD = compiled(
    rb"&(?:[^lgaq#]|l[^t]|lt[^;]|g[^t]|gt[^;]|a[^m]|am[^p]|amp[^;]"
    rb"|q[^u]|qu[^o]|quo[^t]|quot[^;]|#[^0]|#0[^3]|#03[^9]|#039[^;])"
)
