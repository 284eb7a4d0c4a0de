"""What `make bench` works on: made-up dumps in every form, and a real one where it is there."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"
_SHARED = Path(os.environ.get("WIKIBIAS_SHARED", ROOT.parent / "shared" / "data"))
_ANARCHISM = _SHARED / "dumps" / "enwiki-anarchism-full-history.xml.7z"
_FORMS = ("xml", "7z", "bz2", "gz", "zst")
_MAKE = SCRIPTS / "make_synthetic_dump.py"
_MADE_UP = ("--revisions", "60", "--size", "12000", "--tagged", "0.02")
# Where unpacking takes little, reading must take long against starting up.
_PAGES = {"xml": 400, "7z": 400, "bz2": 150, "gz": 150, "zst": 150}
_SMALL = ("--fixed", "--pages", "4", "--revisions", "50", "--size", "2000", "--tagged", "1")
# What unpacks a form to standard output, by the names it may have.
_TOOLS = {
    "xml": ("cat",),
    "7z": ("7z x -so", "7zz x -so", "7za x -so"),
    "bz2": ("bzip2 -dc", "lbzip2 -dc"),
    "gz": ("gzip -dc",),
    "zst": ("zstd -dc",),
}


@dataclass(slots=True)
class Bench:
    """One run of the bench: where its dumps and results go, how often it runs a command.

    `small` is for a quick look at whether it works. `goals` are what was wanted, and what was
    reached, in words.
    """

    data: Path
    out: Path
    rounds: int
    small: bool
    goals: list[tuple[str, str, str]] = field(default_factory=list)

    def wikibias(self, stage: str, dump: Path | str, *options: str) -> list[str]:
        """Return a command of ours on an English dump, which begins anew each time."""
        where = ["--lang", "en", "-q", "--restart", "-o", str(self.out), *options]
        return [sys.executable, "-m", "wikibias", stage, *where, str(dump)]

    def goal(self, what: str, wanted: str, reached: float) -> None:
        """Note what was reached of a goal."""
        self.goals.append((what, wanted, f"{reached:.{2 if reached < 10 else 0}f}"))

    def dumps(self) -> list[Path]:
        """Return the dumps to read: the real one, packed and not; the made-up one in all forms."""
        forms = _FORMS[:2] if self.small else _FORMS
        return [*self.real(), *(self.made_up(form) for form in forms)]

    def real(self) -> list[Path]:
        """Return the real dump, packed and, where it can be unpacked, as plain XML."""
        if self.small or not _ANARCHISM.is_file():
            return []
        plain = self.data / _ANARCHISM.stem
        if not plain.exists():
            if not tools(_ANARCHISM):
                return [_ANARCHISM]
            with _unfinished(plain).open("wb") as file:
                subprocess.run(shlex.split(tools(_ANARCHISM)[0]), stdout=file, check=True)
            _unfinished(plain).rename(plain)
        return [_ANARCHISM, plain]

    def made_up(self, form: str) -> Path:
        """Return the made-up dump in a form; it is made if it is not there yet."""
        options = _SMALL if self.small else ("--pages", str(_PAGES[form]), *_MADE_UP)
        sources = [_MAKE.read_bytes(), (SCRIPTS / "synthetic_wikitext.py").read_bytes()]
        version = hashlib.sha256(b"".join([*sources, " ".join(options).encode()])).hexdigest()[:8]
        path = self.data / f"made-up-{version}.xml{'' if form == 'xml' else f'.{form}'}"
        if not path.exists():
            print(f"making {path.name}", file=sys.stderr, flush=True)
            subprocess.run(make(*options, "-o", str(_unfinished(path))), check=True)
            _unfinished(path).rename(path)
        return path


def make(*options: object) -> list[str]:
    """Return the command that makes an export up."""
    return [sys.executable, str(_MAKE), *map(str, options)]


def tools(dump: Path) -> Sequence[str]:
    """Return the shell commands, of those that are installed, that unpack a dump."""
    found = [tool for tool in _TOOLS[dump.suffix[1:]] if shutil.which(tool.split()[0])]
    # The three names are of one program.
    found = found[:1] if dump.suffix == ".7z" else found
    return [f"{tool} {shlex.quote(str(dump))}" for tool in found]


def missing_tools() -> list[str]:
    """Return the names of the programs that unpack dumps and are not installed."""
    missing = []
    for form, commands in _TOOLS.items():
        names = [command.split()[0] for command in commands]
        there = [name for name in names if shutil.which(name)]
        # Of those for 7z any will do.
        missing += [] if form == "7z" and there else [name for name in names if name not in there]
    return missing


def title(dump: Path) -> str:
    """Return what a dump is called in a table."""
    made_up, real = dump.name.startswith("made-up"), dump.name.startswith(_ANARCHISM.stem)
    name = "made-up dump" if made_up else "Anarchism, full history" if real else dump.name
    return f"{name}, {'plain XML' if dump.suffix == '.xml' else dump.suffix[1:]}"


def _unfinished(path: Path) -> Path:
    return path.with_name(f"unfinished-{path.name}")
