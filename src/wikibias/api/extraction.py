"""Runs the pipeline: dumps to a corpus."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from wikibias.api.dumps import DumpPath, parts_of
from wikibias.config.thresholds import load_config
from wikibias.errors import DumpError
from wikibias.pipeline import runner
from wikibias.pipeline.additions import with_recorded
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.making_settings import make_settings


def extract(
    dump: DumpPath | Iterable[DumpPath],
    lang: str,
    out: str | os.PathLike[str] | None = None,
    *,
    tagset: str = "npov",
    workers: int = 1,
    restart: bool = False,
) -> Path:
    """Build a corpus from dumps, as `wikibias extract` does, and return its folder.

    What cannot be worked out of a page or an edit is left out, and named in `manifest.json`. The
    same call again does only what is missing, and one with other dumps of the wiki, such as next
    month's, adds these to what the folder holds. The command has more options, shows progress
    and writes the same files.

    Args:
        dump: a file, folder, pattern or URL, as `read_site` takes it, or several of them.
        lang: the code of the wiki's language, such as "fr".
        out: the result folder; without it, `corpora/<lang>`.
        tagset: the name of a tag set.
        workers: number of processes. A script that asks for more than one must do so under
            `if __name__ == "__main__":`.
        restart: start over instead of going on with what the folder holds.

    Raises:
        UsageError: an unknown language or tag set, or the folder holds the result of other
            settings or inputs.
        DumpError: a part is damaged; what came before the damage is in the folder, as are all
            other parts.
        DiskError: the folder cannot be written to.

    Examples:
        >>> extract("samples/demoenwiki-20260101-pages-meta-history.xml.7z", "en").as_posix()
        'corpora/en'
    """
    folder = Path(out) if out is not None else Path("corpora") / lang
    settings = make_settings(lang, load_config(), tagset=tagset)
    parts = parts_of(dump)
    files = [path for part in parts for path in part.files]
    made = runner.run(
        folder,
        parts if restart else with_recorded(folder, parts),
        settings,
        restart=restart,
        workers=Workers(workers),
        # For `wikibias status`, which tells how to go on.
        command=(
            "wikibias",
            "extract",
            "--lang",
            lang,
            "--tagset",
            tagset,
            "-o",
            f"{folder}",
            *files,
        ),
    )
    for entry in made["inputs"]:
        if entry["error"]:
            raise DumpError(f"{entry['path'] or entry['part']} {entry['error']}")
    return folder
