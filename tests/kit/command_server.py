"""Runs `wikibias` and `python` without starting either: a process that has loaded all forks.

A command is asked for by `ASK`, a script that takes the place of either: it sends words, folder,
environment, input and output, and ends as the command did. What commands cost from the start is
measured by tests that start them.
"""

import fcntl
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from runpy import run_module, run_path
from threading import Thread
from unittest.mock import patch
from uuid import uuid4

PLACE = "WIKIBIAS_FORKS"
"""The variable that says where the process is found."""
ASK = f"""#!{sys.executable} -SE
import json, os, socket, sys
asking = socket.socket(socket.AF_UNIX)
asking.connect(os.environ["{PLACE}"])
words = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(asking, [words], [0, 1, 2])
sys.exit(int(asking.recv(9)))
"""


@cache
def forks() -> str:
    """Start the process, once for all workers of a run of tests; return where commands find it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)
    folder = Path(tempfile.gettempdir()) / f"wikibias-{run}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        users = folder / "users"
        if not users.exists():
            os.mkfifo(users)
        while True:
            # The process ends when all that hold this open have ended.
            with suppress(OSError):
                os.open(users, os.O_WRONLY | os.O_NONBLOCK)
                return str(folder / "asked")
            _start(folder)


def _start(folder: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, __file__, folder],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    assert server.stdout
    assert server.stdout.readline()


def asking(folder: Path, name: str = "python") -> str:
    """Write what takes the place of a command, and return its path."""
    path = folder / name
    path.write_text(ASK)
    path.chmod(0o755)
    return str(path)


def _serve(folder: Path) -> None:
    for package in ("wikibias.cli", "wikibias.research.cli", "wikibias.models"):
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    import_module("skops.io")
    # A worker process would load all again.
    patch("os.cpu_count", lambda: 1).start()
    # What commands load only when they need it.
    dump = Path(__file__).parents[2] / "samples/demoenwiki-20260101-pages-meta-history.xml.7z"
    with suppress(SystemExit):
        words = ("extract", "--quiet", "--lang", "en", "-o", f"{folder}/en", str(dump))
        import_module("wikibias.cli").main(list(words))
    # What is loaded stays: to look through it for garbage would copy it into each command.
    gc.freeze()
    (folder / "asked").unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "asked"))
    listening.listen()
    users = os.open(folder / "users", os.O_RDONLY | os.O_NONBLOCK)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    while users not in select.select([listening.fileno(), users], [], [])[0]:
        asked, _ = listening.accept()
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if child := os.fork():
                Thread(target=_end_with, args=(asked, child), daemon=True).start()
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                with suppress(BrokenPipeError):
                    asked.send(b"%d" % code)
                os._exit(0)
            _become_command(asked)
        asked.close()


def _end_with(asked: socket.socket, child: int) -> None:
    """End a command when what asked for it has been ended."""
    hung_up = select.poll()
    hung_up.register(asked, 0)
    hung_up.poll()
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGTERM)


def _become_command(asked: socket.socket) -> None:
    """Do what was asked for in this process, and end it."""
    said, files, *_ = socket.recv_fds(asked, 1 << 16, 3)
    words, folder, environment = json.loads(said)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    asked.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv, code = words, 0
    # Where there are plugins.
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    try:
        if Path(words[0]).name == "python":
            _run_python(*words[1:])
        else:
            import_module("wikibias.cli").main()
    except SystemExit as end:
        code = int(end.code or 0)
    # To take down all that was loaded would take longer than most commands.
    sys.stdout.flush()
    os._exit(code)


def _run_python(first: str, *others: str) -> None:
    """Run what `python` is told to: a module, a script, or code that stands behind it or comes."""
    if first == "-m":
        sys.argv = [*others]
        run_module(others[0], run_name="__main__", alter_sys=True)
    elif first in ("-", "-c"):
        sys.path.insert(0, "")
        sys.argv = [first, *others[first == "-c" :]]
        exec(sys.stdin.read() if first == "-" else others[0], {"__name__": "__main__"})
    else:
        sys.argv = [first, *others]
        run_path(first, run_name="__main__")


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
