"""Provides the dumps of `make bench`: synthetic ones in all formats, and real ones if there."""

import bz2
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wikibias.dumps.compression.streams import open_part

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"
MOST_MB = 300  # that a process of wikibias should need
_SHARED = Path(os.environ.get("WIKIBIAS_SHARED", ROOT.parent / "shared" / "data"))
# The name of a real dump in the tables -> its file.
REAL = {
    "Shinto wiki": "shintowiki-1100-pages.xml.7z",
    "Anarchism": "enwiki-anarchism-full-history.xml.7z",
    "Anarchism, 600 revisions": "enwiki-anarchism-600-revisions.xml.bz2",
    "Lower Sorbian Wikipedia": "dsbwiki-articles-full-history.xml.7z",
    "Chamorro Wikipedia": "chwiki-20180501-pages-meta-history.xml.7z",
}
_FORMATS = ("xml", "7z", "bz2", "gz", "zst")
_GENERATOR = SCRIPTS / "make_synthetic_dump.py"
_OPTIONS = ("--tagged", "0.04")
# If decompression is fast, the dump must be large, so that start-up does not matter.
_PAGES = {"xml": 400, "7z": 400, "bz2": 100, "gz": 100, "zst": 100}
_SMALL_OPTIONS = ("--fixed", "--pages", "4", "--revisions", "50", "--size", "2000", "--tagged", "1")
# Commands that decompress a format to standard output.
_TOOLS = {
    "xml": ("cat",),
    "7z": ("7z x -so", "7zz x -so", "7za x -so"),
    "bz2": ("bzip2 -dc", "lbzip2 -dc"),
    "gz": ("gzip -dc",),
    "zst": ("zstd -dc",),
}


@dataclass(slots=True)
class Bench:
    """One run of the benchmark: folders for dumps and results, and the number of rounds.

    `small` uses small dumps, to test the benchmark itself.
    """

    data: Path
    out: Path
    rounds: int
    small: bool

    def wikibias(self, stage: str, dump: Path | str, *options: str) -> list[str]:
        """Return a wikibias command on an English dump that starts over each time."""
        where = ["--lang", "en", "-q", "--restart", "-o", str(self.out), *options]
        return [sys.executable, "-m", "wikibias", stage, *where, str(dump)]

    def dumps(self) -> list[Path]:
        """Return the dumps to read: Anarchism, if it is there, and the synthetic one."""
        return [*self.anarchism(), *map(self.synthetic, self.formats)]

    @property
    def formats(self) -> Sequence[str]:
        """The formats of the synthetic dump."""
        return _FORMATS[:2] if self.small else _FORMATS

    def real(self, name: str) -> list[Path]:
        """Return the file of a real dump, or nothing if it is not there."""
        path = _SHARED / "dumps" / REAL[name]
        return [path] if path.is_file() and not self.small else []

    def anarchism(self) -> list[Path]:
        """Return that real dump as 7z and, if a tool can decompress it, as plain XML."""
        found = self.real("Anarchism")
        if not found or not tools(found[0]):
            return found
        plain = self.data / found[0].stem
        if not plain.exists():
            with _unfinished(plain).open("wb") as file:
                subprocess.run(shlex.split(tools(found[0])[0]), stdout=file, check=True)
            _unfinished(plain).rename(plain)
        return [*found, plain]

    def packed(self, dump: Path) -> Path:
        """Return a dump packed again as bz2."""
        path = self.data / f"{dump.stem}.bz2"
        if not path.exists():
            with open_part(str(dump)) as (stream, _), bz2.open(_unfinished(path), "wb") as file:
                shutil.copyfileobj(stream, file)
            _unfinished(path).rename(path)
        return path

    def synthetic(self, form: str) -> Path:
        """Return the synthetic dump in a format; generate it if it does not exist."""
        options = _SMALL_OPTIONS if self.small else ("--pages", str(_PAGES[form]), *_OPTIONS)
        made_by = _GENERATOR.read_bytes() + " ".join(options).encode()
        version = hashlib.sha256(made_by).hexdigest()[:8]
        path = self.data / f"synthetic-{version}.xml{'' if form == 'xml' else f'.{form}'}"
        if not path.exists():
            print(f"making {path.name}", file=sys.stderr, flush=True)
            subprocess.run(make(*options, "-o", str(_unfinished(path))), check=True)
            _unfinished(path).rename(path)
        return path


def make(*options: object) -> list[str]:
    """Return the command that generates a synthetic dump."""
    return [sys.executable, str(_GENERATOR), *map(str, options)]


def tools(dump: Path) -> Sequence[str]:
    """Return the shell commands that decompress a dump, as far as they are installed."""
    found = [tool for tool in _TOOLS[dump.suffix[1:]] if shutil.which(tool.split()[0])]
    # The three names mean one program.
    found = found[:1] if dump.suffix == ".7z" else found
    return [f"{tool} {shlex.quote(str(dump))}" for tool in found]


def title(dump: Path) -> str:
    """Return the name of a dump in the tables."""
    stem = dump.name.partition(".")[0]
    names = {file.partition(".")[0]: name for name, file in REAL.items()}
    name = "synthetic dump" if stem.startswith("synthetic") else names.get(stem, dump.name)
    return f"{name}, {'plain XML' if dump.suffix == '.xml' else dump.suffix[1:]}"


def _unfinished(path: Path) -> Path:
    return path.with_name(f"unfinished-{path.name}")
