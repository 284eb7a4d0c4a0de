"""Unpacks ahead in a thread, while another one reads what is unpacked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Thread

# Blocks that are unpacked and not read yet.
_AHEAD = 3


def ahead(blocks: Iterator[bytes], stack: ExitStack) -> Iterator[bytes]:
    """Yield the blocks, which a thread takes ahead, and raise what they raise, in their turn.

    The thread ends with `stack`.
    """
    wanted, found = SimpleQueue[bool](), SimpleQueue[bytes | Exception | None]()

    def take() -> None:
        try:
            while wanted.get():
                found.put(block := next(blocks, None))
                if block is None:
                    break
        except Exception as error:
            found.put(error)

    thread = Thread(target=take, daemon=True)
    for _ in range(_AHEAD):
        wanted.put(True)
    thread.start()
    stack.callback(thread.join)
    stack.callback(wanted.put, False)
    while (block := found.get()) is not None:
        if isinstance(block, Exception):
            raise block
        wanted.put(True)
        yield block
