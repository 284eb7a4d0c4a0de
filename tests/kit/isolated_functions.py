"""Functions that tests call in a process of its own."""

import os
import signal
import time


def reversed_bytes(request: bytes) -> bytes:
    return request[::-1]


def own_group(request: bytes) -> bytes:
    """Return the id of this process, and whether it leads a session."""
    return f"{os.getpid()} {os.getsid(0) == os.getpid()}".encode()


def misbehaving(request: bytes) -> bytes:
    """Do what a request names."""
    if request == b"die":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif request == b"spin":
        while True:
            pass
    elif request == b"sleep":
        time.sleep(60)
    elif request == b"eat":
        return b"x" * (4 << 30)
    elif request == b"print":
        print("a line that is no answer")
    elif request == b"raise":
        raise LookupError(request)
    return request
