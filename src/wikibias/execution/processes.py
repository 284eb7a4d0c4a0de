"""Processes of workers, what they report, and calls that have a process of their own."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Seconds to wait for a process that was told to end.
_PATIENCE = 5.0


def spawned(workers: int, start: Callable[..., None] | None = None, *arguments: Any) -> Executor:
    """Return an executor of `workers` processes on this machine; each calls `start` first.

    They end by themselves when this process is killed.
    """
    # 20 ms, which a run with one worker need not wait for.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    with shielded_from_interrupts():
        return ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(os.getpid(), start, arguments),
        )


@contextmanager
def shielded_from_interrupts() -> Iterator[None]:
    """Start worker processes that neither Ctrl-C nor a closed terminal reaches.

    Whoever started them stops them. Start what they share here too: with it, Python starts a
    process that tracks shared resources. What interrupts this process waits for the end of the
    block; so within it, note whom you have started, or nobody will stop them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []
    mine = threading.current_thread() is threading.main_thread()
    interrupts = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    found = {each: signal.getsignal(each) for each in interrupts if mine}
    handlers = {each: handler for each, handler in found.items() if callable(handler)}
    # The mask alone is not enough: another thread may take the signal, and Python then interrupts
    # this one.
    for each in handlers:
        signal.signal(each, lambda number, _: came.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        if came:
            signal.raise_signal(came[0])


def stop(*executors: Executor) -> None:
    """Stop executors and their processes at once, busy or idle, or stopped by a signal."""
    processes = [process for executor in executors for process in processes_of(executor)]
    for executor in executors:
        executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + _PATIENCE
    for process in processes:
        process.join(max(0.0, deadline - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join(_PATIENCE)


def processes_of(executor: Executor) -> list[Any]:
    """Return the processes of an executor, of which those that ended know their exit code."""
    return list((getattr(executor, "_processes", None) or {}).values())


def _begin(parent: int, start: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if start is not None:
        start(*arguments)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


ROOT = "wikibias"


def level() -> int:
    """Return the level from which on somebody here listens; to be given to the workers."""
    return logging.getLogger(ROOT).getEffectiveLevel()


def take(record: logging.LogRecord) -> None:
    """Handle a message of a worker as one of this process."""
    logger = logging.getLogger(record.name)
    if logger.isEnabledFor(record.levelno):
        logger.handle(record)


# A part's name and stage, and how far it is: bytes read, pages read, and transitions or templates
# found.
ProgressCallback = Callable[[str, str, int, int, int], None]
_PAUSE = 0.1
# Where a worker sends its progress: set once in each worker process by `connect`.
_channel: Callable[[tuple[str, str, int, int, int]], Any] | None = None
_last_posted = ("", "", 0.0)


@contextmanager
def progress_channel(report: ProgressCallback, *, inline: bool) -> Iterator[Any]:
    """Give a channel for `connect`; `report` is called in this process for what comes through it.

    With `inline` the workers are this process too, and `report` is called at once; else in a
    thread.
    """
    if inline:
        yield lambda progress: report(*progress)
        return
    from multiprocessing import get_context  # noqa: PLC0415 (10 ms, as in `processes.spawned`)

    with shielded_from_interrupts():
        queue: Any = get_context("spawn").Queue()

    def listen() -> None:
        while (sent := queue.get()) is not None:
            if type(sent) is tuple:
                report(*sent)
            else:
                take(sent)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield queue
    finally:
        queue.put(None)
        listener.join(5)
        queue.close()
        # A worker that was stopped while it wrote locks the queue for ever. Otherwise the queue's
        # thread must end before this process does, or Python warns of leaked semaphores.
        if listener.is_alive():
            queue.cancel_join_thread()
        else:
            queue.join_thread()


def connect(channel: Any, least: int) -> None:
    """Tell a worker process where to send its progress, once, before it works.

    Its log messages go there too, from the level `least` on.
    """
    global _channel  # noqa: PLW0603 (a process pool has no other place for it)
    _channel = channel if callable(channel) else channel.put
    if not callable(channel):
        from logging.handlers import QueueHandler  # noqa: PLC0415 (no need with one worker)

        logger = logging.getLogger(ROOT)
        logger.handlers = [QueueHandler(channel)]
        logger.setLevel(least)
        logger.propagate = False


def post(part: str, stage: str, done: int, pages: int, found: int) -> None:
    """Send how far a part is, at most ten times a second for each stage."""
    global _last_posted  # noqa: PLW0603 (as above)
    now = time.monotonic()
    again = (part, stage) == _last_posted[:2] and now - _last_posted[2] < _PAUSE
    if _channel is not None and not again:
        _last_posted = (part, stage, now)
        _channel((part, stage, done, pages, found))


def no_progress(part: str, stage: str, done: int, pages: int, found: int) -> None:
    """Show nothing of the progress."""


try:
    import resource
except ImportError:  # Windows: the time that the caller waits is the only limit there
    resource = None  # type: ignore[assignment]

_LENGTH = struct.Struct(">Q")
# How to start: the module search path of this process, then the function to serve.
_START = (
    "import sys; sys.path[:] = sys.argv[2:]\n"
    "from pkgutil import resolve_name; from wikibias.execution.processes import serve\n"
    "serve(resolve_name(sys.argv[1]))"
)


class IsolationError(Exception):
    """The process died, took too long, or cannot be started."""


class Isolated:
    """A function from bytes to bytes, called in a process of its own.

    So its death or endless work costs one call: for libraries in C that a hostile input can crash
    or keep busy for ever. The process starts with the first call, serves all that follow, and ends
    with this one. It is no worker: it may be started from any process, also from a worker that may
    have no children by multiprocessing.

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
