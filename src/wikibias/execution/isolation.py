"""Calls a function in a process of its own, so that its death or endless work costs one call.

For libraries in C that a hostile input can crash or keep busy for ever. The process starts with
the first call, serves all that follow, and ends with this one. It is no worker: it may be started
from any process, also from a worker that may have no children by multiprocessing.
"""

import atexit
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

try:
    import resource
except ImportError:  # Windows: the time that the caller waits is the only limit there
    resource = None  # type: ignore[assignment]

_LENGTH = struct.Struct(">Q")
# How to start: the module search path of this process, then the function to serve.
_START = (
    "import sys; sys.path[:] = sys.argv[2:]\n"
    "from pkgutil import resolve_name; from wikibias.execution.isolation import serve\n"
    "serve(resolve_name(sys.argv[1]))"
)


class IsolationError(Exception):
    """The process died, took too long, or cannot be started."""


class Isolated:
    """A function from bytes to bytes, called in a process of its own.

    Safe in threads, which wait for each other, and after a fork, which starts another process.
    """

    def __init__(self, function: str, *, cpu_seconds: int, seconds: int, memory: int) -> None:
        """Declare it; nothing is started yet.

        Args:
            function: `module:name`. It must not fail: an exception ends the process.
            cpu_seconds: processor time for one call, where the system can limit it.
            seconds: time for one call by the clock, everywhere.
            memory: bytes for the process, where the system can limit them.
        """
        self._function = function
        self._limits = (cpu_seconds, memory)
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        atexit.register(self.stop)

    def __call__(self, request: bytes) -> bytes:
        """Return what the function makes of `request`.

        Raises:
            IsolationError: the call ended the process; the next call starts another.
        """
        with self._lock:
            try:
                return self._ask(self._started(), request)
            except (OSError, ValueError) as error:
                self.stop()
                raise IsolationError(str(error)) from error
            except BaseException:
                # An interrupt leaves half an answer in the pipe.
                self.stop()
                raise

    def stop(self) -> None:
        """End the process if it runs."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._owner != os.getpid():
            command = [sys.executable, "-P", "-c", _START, self._function, *sys.path]
            self._process = subprocess.Popen(  # noqa: S603 (this Python, our own module)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl-C and a closed terminal are for who started it.
                start_new_session=True,
            )
            self._owner = os.getpid()
            limits = " ".join(map(str, self._limits))
            _send(_pipe(self._process.stdin), limits.encode())
        return self._process

    def _ask(self, process: subprocess.Popen[bytes], request: bytes) -> bytes:
        clock = threading.Timer(self._seconds, process.kill)
        clock.daemon = True
        clock.start()
        try:
            _send(_pipe(process.stdin), request)
            answer = _receive(_pipe(process.stdout))
        finally:
            clock.cancel()
        if answer is None:
            raise OSError(f"the process ended with {process.wait()}")
        return answer


def serve(function: Callable[[bytes], bytes]) -> None:
    """Answer the calls that come by standard input, until it ends."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    # What the function prints must not come between the answers.
    sys.stdout = sys.stderr
    first = _receive(requests)
    if first is None:
        return
    cpu_seconds, memory = map(int, first.split())
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_AS", memory)
    while (request := _receive(requests)) is not None:
        if resource is not None:
            used = resource.getrusage(resource.RUSAGE_SELF)
            _limit("RLIMIT_CPU", int(used.ru_utime + used.ru_stime) + 1 + cpu_seconds)
        _send(answers, function(request))


def _limit(name: str, value: int) -> None:
    """Set a limit that the process could raise again, as far as the system lets it."""
    if resource is None:
        return
    what = getattr(resource, name)
    hard = resource.getrlimit(what)[1]
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(what, (wanted, hard))


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise OSError("no pipe")
    return pipe


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes | None:
    """Return the next message; None at the end, also in the middle of one."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = pipe.read(length)
    return message if len(message) == length else None
