"""The dumps by which the cost model is fitted and checked, and what each of them holds.

Real ones come from the folder beside the checkout, as they are and packed in other forms; the
synthetic ones from the generator. Those to check are never used for the fit.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import zstandard

from wikibias.planning.cost_model import Work

_ROOT = Path(__file__).resolve().parents[1]
_DUMPS = Path(os.environ.get("WIKIBIAS_SHARED", _ROOT.parent / "shared" / "data")) / "dumps"
# Options of the generator.
_MIXED = "--pages 90 --revisions 60 --size 12000 --tagged 0.02 --seed 1"
_STUBS = "--pages 12000 --revisions 3 --size 300 --stubs --tagged 0.02 --seed 2"
_WARS = "--fixed --pages 6 --revisions 400 --size 20000 --tagged 1 --seed 3"
_OTHER = "--pages 60 --revisions 40 --size 25000 --tagged 0.05 --seed 11"
_SHORT = "--pages 500 --revisions 25 --size 2500 --tagged 0.02 --seed 12"
_TINY = "--stubs --fixed --pages 1 --revisions 12 --size 600 --tagged 1"
_UNTAGGED = "--stubs --fixed --pages 1 --revisions 8 --size 600 --tagged 0"
# Name -> how it is made: a file of the folder with real dumps, options of the generator, or the
# number of copies of a tiny dump; each in some forms.
FIT = {
    "shintowiki": ("shintowiki-1100-pages.xml.7z", ["7z"]),
    "Anarchism": ("enwiki-anarchism-full-history.xml.7z", ["7z"]),
    "shintowiki-60": ("shintowiki-60-untagged-pages.xml.7z", ["7z", "bz2"]),
    "mixed": (_MIXED, ["xml", "7z", "bz2", "gz", "zst", "xz"]),
    "like real": ("--like real --pages 60 --seed 4", ["7z", "gz"]),
    "stubs": (_STUBS, ["xml", "7z", "bz2", "zst", "xz"]),
    "edit wars": (_WARS, ["7z", "bz2", "gz"]),
    "40 tiny parts": (40, ["xml"]),
    "1 tiny part": (1, ["xml"]),
    "60 tiny parts, no tag": (60, ["xml"]),
}
CHECK = {
    "chwiki": ("chwiki-20180501-pages-meta-history.xml.7z", ["7z", "bz2", "xz", "gz"]),
    "aawiki": ("aawiki-20260101-pages-meta-history.xml.7z", ["7z"]),
    "Anarchism, 600": ("enwiki-anarchism-600-revisions.xml.bz2", ["bz2"]),
    "Anarchism, 600, 0.11": ("enwiki-anarchism-600-revisions-schema0.11.xml.7z", ["7z"]),
    "shintowiki-ja": ("shintowiki-ja-tagged.xml.7z", ["7z"]),
    "like real, another": ("--like real --pages 40 --seed 14", ["7z", "bz2"]),
    "long pages": (_OTHER, ["xml", "7z", "zst"]),
    "short pages": (_SHORT, ["xml", "bz2"]),
}
_SMALL_FIT = {
    "mixed": ("--fixed --pages 4 --revisions 50 --size 2000 --tagged 1", ["xml", "7z", "bz2"]),
    "4 tiny parts": (4, ["xml"]),
    "1 tiny part": (1, ["xml"]),
}
_SMALL_CHECK = {"other": ("--fixed --pages 3 --revisions 60 --size 3000 --tagged 1", ["xml"])}
_SOURCES = {"fit": (FIT, CHECK), "small": (_SMALL_FIT, _SMALL_CHECK)}


@dataclass(frozen=True, slots=True)
class Sample:
    """A dump to measure: its name, where it lies (a file or a folder of parts), what it holds."""

    name: str
    path: Path
    work: Work


def samples(data: Path, *, small: bool) -> tuple[list[Sample], list[Sample]]:
    """Return the dumps to fit and those to check; make those that are missing."""
    fit, check = _SOURCES["small" if small else "fit"]
    return list(_of(fit, data)), list(_of(check, data))


def _of(sources: Any, data: Path) -> Iterator[Sample]:
    for name, (made_from, forms) in sources.items():
        work: Work | None = None
        for form in forms:
            path = _path(made_from, form, data)
            if path is None:
                continue
            if work is None:
                print(f"reading {name}, {form}", file=sys.stderr, flush=True)
                work = work_of(path, form)
            # The same in every form, but for its size.
            packed = work.packed_mb if path.is_dir() else path.stat().st_size / 1e6
            yield Sample(f"{name}, {form}", path, replace(work, form=form, packed_mb=packed))


def _path(made_from: str | int, form: str, data: Path) -> Path | None:
    """Return a dump in a form, made if it is not there; None for a real one that is absent."""
    if isinstance(made_from, int):
        return _parts(data / f"parts-{made_from}-{_generator()}", made_from)
    if made_from.startswith("--"):
        name = "-".join([*made_from.replace("--", "").split(), _generator()])
        return _packed(lambda path: _generate(made_from, path), data / f"fit-{name}.xml", form)
    real = _DUMPS / made_from
    if not real.is_file():
        return None
    if real.suffix == f".{form}":
        return real
    return _packed(lambda path: _unpack(real, path), data / f"fit-{real.stem}", form)


def _parts(folder: Path, number: int) -> Path:
    if not folder.is_dir():
        folder.mkdir(parents=True)
        # An odd number of parts without a tag would be told from others by its number alone.
        options = _UNTAGGED if number == 60 else _TINY
        xml = subprocess.run(_make(options), capture_output=True, check=True).stdout
        for each in range(number):
            (folder / f"part{each}.xml").write_bytes(xml)
    return folder


def _packed(write: Any, plain: Path, form: str) -> Path:
    path = plain if form == "xml" else plain.with_name(f"{plain.name}.{form}")
    if path.exists():
        return path
    if form != "xml":
        source = _packed(write, plain, "xml")
        with _finished(path) as target:
            _pack(source, target, form)
        return path
    with _finished(path) as target:
        write(target)
    return path


@contextmanager
def _finished(path: Path) -> Iterator[Path]:
    print(f"making {path.name}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        target = Path(folder) / path.name
        yield target
        target.rename(path)


@cache
def _generator() -> str:
    """Return a hash of the generator: what another version has made is made again."""
    sources = [_ROOT / "scripts" / "make_synthetic_dump.py", *(_ROOT / "scripts").glob("synth*.py")]
    content = b"".join(path.read_bytes() for path in sorted(sources))
    return hashlib.sha256(content).hexdigest()[:8]


def _make(options: str) -> list[str]:
    return [sys.executable, str(_ROOT / "scripts" / "make_synthetic_dump.py"), *options.split()]


def _generate(options: str, target: Path) -> None:
    subprocess.run([*_make(options), "-o", str(target)], check=True)


def _unpack(source: Path, target: Path) -> None:
    with target.open("wb") as file:
        subprocess.run(["7z", "x", "-so", str(source)], stdout=file, check=True)


def _pack(source: Path, target: Path, form: str) -> None:
    if form == "7z":
        subprocess.run(["7z", "a", "-bso0", "-mx=5", str(target), str(source)], check=True)
        return
    openers: dict[str, Any] = {
        "bz2": bz2.open, "gz": gzip.open, "zst": zstandard.open,
        "xz": partial(lzma.open, preset=3),
    }  # fmt: skip
    with source.open("rb") as file, openers[form](target, "wb") as packed:
        shutil.copyfileobj(file, packed, 1 << 20)


def work_of(path: Path, form: str) -> Work:
    """Return what a dump holds; another process looks, so that this one stays small."""
    script = str(_ROOT / "scripts" / "fit_work.py")
    done = subprocess.run(
        [sys.executable, script, form, str(path)], check=True, capture_output=True, text=True
    )
    return Work(**json.loads(done.stdout))


def rows(found: list[Sample]) -> list[list[str]]:
    """Return a line of a table for each dump: what it holds."""
    return [
        [
            sample.name,
            f"{sample.work.packed_mb:,.2f}",
            f"{sample.work.mb:,.1f}",
            f"{sample.work.revisions:,.0f}",
            f"{sample.work.hits:,.0f}",
            f"{sample.work.matches:,.0f}",
            f"{sample.work.calls:,.0f}",
            f"{sample.work.transitions:,.0f}",
        ]
        for sample in found
    ]
