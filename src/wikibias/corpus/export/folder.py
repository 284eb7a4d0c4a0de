"""The folder of an export: complete or not there, with a list of its files, and ours or untouched.

`export.json` names the files with their checksums. By it a later export knows what it may replace.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wikibias import __version__
from wikibias.errors import UsageError
from wikibias.kits.files import atomic_folder, checksum, disk_errors, read_json, write_json

RECORD = "export.json"
NO_LIBRARY = "; or choose --format csv, jsonl or parquet, which need none"
"""What to do without the library that the form `hf` needs."""


@contextmanager
def export_folder(out: Path, facts: Mapping[str, Any], *, overwrite: bool) -> Iterator[Path]:
    """Give a folder to write an export to; what is in it is in `out` when all went well.

    Args:
        out: new, empty, or the folder of an earlier export that nobody has changed.
        facts: what the list is to say beside the files; `format` is among it.
        overwrite: write into any folder; files of the same names are replaced, others stay.

    Raises:
        UsageError: the folder holds what is not ours, or an export in another form.
        DiskError: it cannot be written.
    """
    shown, out = out, out.resolve()
    foreign = foreign_in(out)
    if foreign is not None and not overwrite:
        raise UsageError(
            f"{shown} holds what this command did not write, or what was changed since "
            f"({foreign}); give --out another folder, or --overwrite to replace files of the same "
            "names"
        )
    before = (recorded(out) or facts)["format"]
    if before != facts["format"] and not overwrite:
        raise UsageError(f"{shown} holds an export as {before}; give another --out, or --overwrite")
    if foreign is None:
        with atomic_folder(out) as temporary:
            yield temporary
            _record(temporary, facts)
        return
    made = out / ".wikibias-export"
    try:
        with atomic_folder(made) as temporary:
            yield temporary
            _record(temporary, facts)
        _move_in(made, out)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file below a folder, by its path from there, sorted."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): checksum(path) for path in files}


def recorded(folder: Path) -> Mapping[str, Any] | None:
    """Return what the list of an export says, or None where the folder holds none."""
    try:
        found = read_json(folder / RECORD)
    except (OSError, ValueError):
        return None
    right = isinstance(found, dict) and isinstance(found.get("files"), dict)
    return found if right and isinstance(found.get("format"), str) else None


def foreign_in(folder: Path) -> str | None:
    """Return the name of something in a folder that no export wrote so; None where all is ours."""
    with disk_errors(folder):
        if not folder.exists():
            return None
        if not folder.is_dir():
            return folder.name
        found = recorded(folder)
        listed = {RECORD, *(found["files"] if found else ())}
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_symlink() or (not path.is_dir() and name not in listed):
                return name
        if found is None:
            return next((path.name for path in sorted(folder.iterdir())), None)
        now = digests(folder)
        return next((n for n, sha in now.items() if n != RECORD and found["files"][n] != sha), None)


def _record(folder: Path, facts: Mapping[str, Any]) -> None:
    write_json(folder / RECORD, {**facts, "wikibias": __version__, "files": digests(folder)})


def _move_in(source: Path, target: Path) -> None:
    """Move all files of one folder to the same names below another, the list of them last."""
    names = [*digests(source)]
    with disk_errors(target):
        (target / RECORD).unlink(missing_ok=True)
        for name in sorted(names, key=lambda name: name == RECORD):
            path = target / name
            if path.parent.is_symlink():
                raise UsageError(f"{path.parent} is a link to another place; remove it")
            path.parent.mkdir(parents=True, exist_ok=True)
            (source / name).replace(path)
