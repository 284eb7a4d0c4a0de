"""Runs what the documentation tells to type, and compares what comes out with what it shows.

    python scripts/doc_pages.py [--update] [PAGE ...]

Each page runs in a copy of the checkout, from its first block to its last. A page that holds
`<!-- run in an empty folder -->` gets a folder with nothing but `samples/`, and not even that if it
runs `wikibias docs --samples`.

- ```console: each line after `$ ` is run by sh; what it prints must be what follows. A line `...`
  stands for any lines. An exit code other than 0 needs a line that begins with `Error`.
- a block below a line that ends with "`name`:" is written to that file.
- ```python is run; one that holds `>>>` is a doctest, run at the end of the page.
- `<!-- not run: REASON -->` above a block passes it over.

`--update` writes what came out into the page.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md")))
# What a page may change is copied, what it only reads is linked.
_EMPTY = "<!-- run in an empty folder -->"
_SAMPLES = "$ wikibias docs --samples"
_COPIED = ("configs", "tagsets")
_LINKED = ("samples", "scripts", "tests")
_COMMANDS = {
    "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
    # With the guard, because worker processes import the script again.
    "wikibias": f"#!{sys.executable}\nif __name__ == '__main__':\n"
    "    from wikibias.cli import main\n    main()\n",
}
_BLOCK = re.compile(r"^(?P<above>[^\n]*)\n+```(?P<lang>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
# Not the name of a thing, such as `DumpError`.
_FILE = re.compile(r"`(?P<file>[\w./-]+\.\w+)`:$")
_NOT_RUN = re.compile(r"^<!-- not run: (?P<reason>.+) -->$")
_HEREDOC = re.compile(r"<<'?(\w+)'?")
_ANY = "..."


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, and what the line above says of it."""

    page: str
    line: int
    lang: str
    text: str
    above: str

    @property
    def where(self) -> str:
        """Where the block begins, as file:line."""
        return f"{self.page}:{self.line}"

    @property
    def not_run(self) -> str | None:
        """Why it is not run, where the comment above it says so."""
        match = _NOT_RUN.match(self.above)
        return match["reason"] if match else None

    @property
    def file(self) -> str | None:
        """The file that the block is the content of."""
        match = _FILE.search(self.above)
        return match["file"] if match and self.lang != "console" else None


@dataclass(frozen=True)
class Command:
    """What to type, and what the page shows below it."""

    typed: str
    shown: str


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, m.start("lang")) + 1, m["lang"], m["text"], m["above"])
        for m in _BLOCK.finditer(text)
    ]


def commands(block: Block) -> Iterator[Command]:
    """Yield the commands of a console block."""
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        lines = part.splitlines(keepends=True)
        typed = 1
        while lines[typed - 1].endswith("\\\n"):
            typed += 1
        if heredoc := _HEREDOC.search(lines[0]):
            typed = lines.index(heredoc[1] + "\n") + 1
        yield Command("".join(lines[:typed]), "".join(lines[typed:]))


def prepare(page: str, folder: Path) -> None:
    """Fill the folder that a page runs in; its `.venv` leads to this interpreter."""
    text = (ROOT / page).read_text(encoding="utf-8")
    empty = _EMPTY in text
    writes_samples = f"\n{_SAMPLES}\n" in text
    for name in () if empty else _COPIED:
        shutil.copytree(ROOT / name, folder / name)
    for name in _LINKED[: not writes_samples] if empty else _LINKED:
        (folder / name).symlink_to(ROOT / name)
    binaries = folder / ".venv" / "bin"
    binaries.mkdir(parents=True)
    for name, script in _COMMANDS.items():
        (binaries / name).write_text(script)
        (binaries / name).chmod(0o755)


def run_page(page: str, folder: Path) -> tuple[list[str], str]:
    """Run a page in a prepared folder.

    Returns:
        The differences, and the page with what really came out.
    """
    updated, problems, doctests = (ROOT / page).read_text(encoding="utf-8"), [], ""
    for block in blocks(page):
        if block.not_run:
            continue
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.lang == "python" and ">>> " in block.text:
            doctests += block.text + "\n"
        elif block.lang == "python":
            code, printed = _run(["python", "-c", block.text], folder)
            problems += [f"{block.where}: exit code {code}\n{printed}"] if code else []
        elif block.lang == "console":
            really = "".join(_differences(block, folder, problems))
            updated = updated.replace(f"```console\n{block.text}```", f"```console\n{really}```")
    if doctests:
        (folder / "doctests.txt").write_text(doctests, encoding="utf-8")
        code, printed = _run(["python", "-m", "doctest", "doctests.txt"], folder)
        problems += [f"{page}: {printed}"] if code else []
    return problems, updated


def _differences(block: Block, folder: Path, problems: list[str]) -> Iterator[str]:
    """Run the commands of a block, add what differs to `problems`, yield the block as it ran."""
    for command in commands(block):
        code, printed = _run(["sh", "-c", command.typed], folder)
        # Editors drop blanks at the end of a line, and a block always ends with a line break.
        printed = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
        same = _matches(command.shown, printed)
        if not same:
            lines = (command.shown.splitlines(), printed.splitlines())
            diff = difflib.unified_diff(*lines, "shown", "printed", lineterm="")
            problems.append("\n".join((f"{block.where}: {command.typed}", *diff)))
        # What failed unexpectedly is no output for a page.
        if failed := bool(code) and not re.search("^Error", printed, re.M):
            problems.append(f"{block.where}: {command.typed}exit code {code}")
        yield f"$ {command.typed}{command.shown if same or failed else printed}"


def _matches(shown: str, printed: str) -> bool:
    parts = re.split(rf"^{re.escape(_ANY)}\n", shown, flags=re.M)
    return re.fullmatch(r"(?:.*\n)*?".join(map(re.escape, parts)), printed) is not None


def _run(call: list[str], folder: Path) -> tuple[int, str]:
    environment = {
        **os.environ,
        "PATH": f"{folder}/.venv/bin:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT / "src"),
        "XDG_CONFIG_HOME": str(folder / "nowhere"),
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        call,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def main() -> int:
    """Run pages and print the differences; exit code 1 if there are any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write what came out into the pages")
    parser.add_argument("pages", nargs="*", default=PAGES)
    asked = parser.parse_args()
    failed = 0
    for page in asked.pages:
        with tempfile.TemporaryDirectory() as folder:
            prepare(page, Path(folder))
            problems, updated = run_page(page, Path(folder))
        print(f"{page}: {len(problems)} differ", *problems, sep="\n")
        failed += bool(problems)
        if asked.update:
            (ROOT / page).write_text(updated, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
