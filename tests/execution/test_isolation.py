"""A function in a process of its own: its death costs one call."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from clusters import alive, wait_for
from wikibias.execution.processes import Isolated, IsolationError


def isolated(name: str) -> Isolated:
    # A limit of 0 is reached within a second.
    return Isolated(f"isolated_functions:{name}", cpu_seconds=0, seconds=60, memory=2 << 30)


@pytest.fixture
def misbehaving() -> Iterator[Isolated]:
    function = isolated("misbehaving")
    yield function
    function.stop()


def test_it_answers_call_after_call_also_long_ones() -> None:
    function = isolated("reversed_bytes")
    for request in (b"", b"abc", bytes(range(256)) * 10_000):
        assert function(request) == request[::-1]
    function.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of the system there")
def test_a_death_costs_one_call_and_what_it_prints_is_no_answer(misbehaving: Isolated) -> None:
    for request in (b"die", b"spin", b"eat", b"raise"):
        assert misbehaving(b"print") == b"print"
        with pytest.raises(IsolationError):
            misbehaving(request)
    assert misbehaving(b"two") == b"two"


def test_the_clock_ends_a_call_too() -> None:
    function = Isolated("isolated_functions:misbehaving", cpu_seconds=60, seconds=1, memory=2 << 30)
    with pytest.raises(IsolationError):
        function(b"sleep")
    function.stop()


def test_what_cannot_start_is_an_error() -> None:
    function = Isolated("isolated_functions:no_such", cpu_seconds=1, seconds=9, memory=2 << 30)
    with pytest.raises(IsolationError):
        function(b"")


def test_threads_wait_for_each_other() -> None:
    function = isolated("reversed_bytes")
    answers: dict[int, bytes] = {}

    def ask(number: int) -> None:
        answers[number] = function(b"%d." % number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: b".%d" % number for number in range(8)}
    function.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="no sessions there")
def test_it_is_out_of_reach_of_the_terminal() -> None:
    function = isolated("own_group")
    number, leads = function(b"").split()
    assert int(number) != os.getpid()
    assert leads == b"True"
    function.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_it_ends_with_who_started_it() -> None:
    code = (
        "import sys, time; sys.path[:] = sys.argv[1:]\n"
        "from wikibias.execution.processes import Isolated\n"
        "f = Isolated('isolated_functions:own_group', cpu_seconds=1, seconds=9, memory=2 << 30)\n"
        "print(f(b'').split()[0].decode(), flush=True); time.sleep(60)"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", code, *sys.path], stdout=subprocess.PIPE, text=True
    )
    assert starter.stdout is not None
    number = int(starter.stdout.readline())
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait()
    starter.stdout.close()
    wait_for(lambda: not alive(number))
