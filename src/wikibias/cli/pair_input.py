"""What `wikibias pairs` does not take, and what to do instead."""

from __future__ import annotations

from pathlib import Path

from wikibias.errors import UsageError

_MANIFEST = "manifest.json"
# Of folders, from that of the file on, in which the list of an export may lie.
_LEVELS = 2


def check(path: Path, out: Path, rules: str, **options: str | None) -> None:
    """Refuse what pairs are not made from, and options that do not go with the rest.

    Args:
        path: a result folder, or a file of pairs.
        out: the folder to write.
        rules: `wnc` or `own`.
        options: their values by name; `reverts` is about a folder, all others about a file.

    Raises:
        UsageError: the path holds pairs that we wrote, or a dump; an option is about something
            else; or the folder to write is that of the input, or one of its tables.
    """
    from wikibias.dumps.parts import is_dump_name

    _refuse_ours(path)
    if path.is_file() and is_dump_name(path.name):
        raise UsageError(
            f"{path} is a dump; run `wikibias detect --signal summary` on it, and give `pairs` "
            "the folder that this makes"
        )
    reverts = options.pop("reverts", None)
    if reverts is not None and (path.is_file() or rules != "own"):
        raise UsageError("--reverts is for --rules own and a folder that detect made; leave it out")
    _refuse_within(out, path)
    for name, value in options.items():
        if value is not None and path.is_dir():
            raise UsageError(f"--{name} is about a file of pairs, and {path} is a folder; leave it")


def _refuse_ours(path: Path) -> None:
    """Refuse pairs that we wrote: to filter them again would change what the filters were told."""
    from wikibias.corpus.export.folder import recorded
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    if path.is_dir():
        is_ours = is_pairs_folder(path) and not (path / _MANIFEST).is_file()
    else:
        is_ours = any(
            path.relative_to(folder).as_posix() in (recorded(folder) or {}).get("files", {})
            for folder in path.parents[:_LEVELS]
        )
    if is_ours:
        raise UsageError(
            f"{path} holds pairs that wikibias wrote and has filtered already; give `pairs` the "
            "folder that `detect` made, or read them with `wikibias report`, `export` or `spans "
            "train`"
        )


def _refuse_within(out: Path, path: Path) -> None:
    from wikibias.pipeline.stages import STAGES

    folder = path.parent if path.is_file() else path
    tables = [path / table.name for stage in STAGES for table in stage.writes]
    if out.resolve() in [read.resolve() for read in (folder, *tables)]:
        raise UsageError(f"{out} holds what is read; give --out a folder of its own")
