"""Adding parts to a result folder: which ones it then holds, and which may not be added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.parts import COMPRESSION, Part, in_order
from wikibias.dumps.web.remote import is_url
from wikibias.errors import DumpError, FetchError, UsageError
from wikibias.messages import counted
from wikibias.pipeline import manifest, resume, stages
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.outputs import recorded


def with_recorded(folder: Path, given: Sequence[Part]) -> list[Part]:
    """Return the parts that a folder holds and those given, in the order of their names.

    A recorded part that failed is left out where its file is gone, or where one that is given
    holds the same in another compression.

    Raises:
        UsageError: the manifest cannot be read; or standard input, recorded but not read to its
            end, is not given again.
    """
    try:
        before = manifest.load(folder)
    except manifest.DamagedManifestError:
        return list(given)
    if before is None:
        return list(given)
    names = {part.name for part in given}
    contents = {COMPRESSION.sub("", name) for name in names}
    kept = []
    for part, entry in zip(manifest.parts_of(before), before["inputs"], strict=True):
        replaced = COMPRESSION.sub("", part.name) in contents or resume.lost([part])
        if part.name in names or (entry.get("error") and replaced):
            continue
        if STDIN in part.files and recorded(folder, stages.STAGES[0], part.name) is None:
            raise UsageError(
                f"{folder}: standard input was not read to its end; give - with the same input "
                "again, or start over with --restart"
            )
        kept.append(part)
    return in_order([*kept, *given]) if kept else list(given)


def refuse_other_wikis(folder: Path, before: Manifest, parts: Sequence[Part]) -> None:
    """Refuse a new part of a wiki that a folder holds nothing of; a look at its head tells.

    What cannot be looked at twice or is on a server is not looked at.

    Raises:
        UsageError: it is of another wiki.
    """
    new, known = resume.fresh(before, parts), set[str]()
    for part in manifest.parts_of(before) if new else ():
        facts = recorded(folder, stages.STAGES[0], part.name)
        if facts and facts.get("wiki"):
            known.add(facts["wiki"])
    for part in new if known else ():
        wiki = wiki_of(part)
        if wiki is not None and wiki not in known:
            raise UsageError(
                f"{part.files[0]} is a dump of {wiki}, and {folder} holds "
                f"{' and '.join(sorted(known))}; choose another --out"
            )


def wiki_of(part: Part) -> str | None:
    """Return the wiki that a part on this machine is of; None where it cannot be told."""
    path = part.files[0]
    if path == STDIN or is_url(path) or not Path(path).is_file():
        return None
    # Only where a part is added: the command line shall begin soon.
    from wikibias.dumps.sources import open_dump  # noqa: PLC0415
    from wikibias.dumps.xml import fast_reader  # noqa: PLC0415

    try:
        with open_dump(Part(part.name, (path,)), fast_reader.read) as (dump, _):
            return dump.site.wiki
    except (DumpError, FetchError, OSError):
        return None


def announce(
    folder: Path, before: Manifest, parts: Sequence[Part], on_note: Callable[[str], None]
) -> None:
    """Say what is added, and what is left out because it failed and is not there any more."""
    new = len(resume.fresh(before, parts))
    dropped = resume.dropped(before, parts)
    old = len(before["inputs"]) - len(dropped)
    if new and old:
        on_note(f"Adds {counted(new, 'part')} to the {old:,} of {folder}.")
    for name in dropped:
        on_note(f"Leaves out {name}, which failed.")
