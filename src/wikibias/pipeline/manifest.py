"""`manifest.json`: what a result folder was asked for, from which inputs, and how far it is."""

from __future__ import annotations

import platform
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import Distribution, version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from wikibias import __version__
from wikibias.config.choices import ROW_COUNTS, SIGNALS, names_of_intents, not_looked_for
from wikibias.dumps.parts import Part, file_name
from wikibias.errors import UsageError, counted, quoted
from wikibias.kits import folders, schemas
from wikibias.kits.checked import Meta, Struct, convert
from wikibias.kits.files import ascii_json, read_json, write_text
from wikibias.pipeline import stages
from wikibias.pipeline.jobs import UNREADABLE, checksums, recorded_with
from wikibias.pipeline.settings import Settings, settings_from

if TYPE_CHECKING:
    from wikibias.pipeline.dump_dedup import Repeats

OTHER_EDITS = {name: kind.title for kind in SIGNALS if kind.title for name in kind.counted_as}
"""What a row is called that no change of tags led to, by what it is counted as."""


def lacks_texts(manifest: Mapping[str, Any]) -> bool:
    """Return whether stubs led to edits whose texts nobody has asked a wiki for."""
    return any(
        entry.get("is_stub")
        and not (entry.get("error") or entry.get("texts"))
        and (entry.get("counts") or {}).get("summary_edits")
        for entry in manifest["inputs"]
    )


def signals(detect: Mapping[str, Any]) -> list[str]:
    """Return what edits were found by, as the recorded settings of `detect` say."""
    return list(detect.get("signal") or ["tag"])


def found_edits(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many edits were found, by what they were found by."""
    counts, asked = manifest["counts"], signals(manifest["settings"]["detect"])
    if "tag" in asked:
        yield counted(counts["removed"], "tag removal")
        yield counted(counts["added"], "addition")
    if "summary" in asked:
        yield counted(counts["summary_edits"], "summary edit")
    if "featured" in asked:
        yield counted(counts["featured_spans"], "featured article")
    undone = manifest.get("intents_reverted", {})
    for intent, number in manifest.get("intents", {}).items():
        edits = counted(number, f"{intent} edit")
        yield f"{edits} ({undone.get(intent, 0):,} reverted)" if number else edits


Count = Annotated[int, Meta(ge=0, lt=1 << 62)]
Counts = Mapping[str, Count]
Texts = tuple[str, ...]
_NONE: Mapping[str, Any] = MappingProxyType({})


class _File(Struct):
    """A file of a part, or a part of one file."""

    path: Annotated[str, Meta(pattern=r"^[^\0]*$")] | None = None
    size: int | None = None
    sha256: str | None = None


class _Input(_File, kw_only=True):
    """A part; of an older manifest it may lack all but its name and its file."""

    part: Any
    error: str | None = None
    files: tuple[_File, ...] = ()
    counts: Counts = _NONE

    def __post_init__(self) -> None:
        if not folders.is_file_name(self.part):
            raise ValueError(f"the part {ascii(self.part)[:60]}")
        if any(file.path is None for file in self.files or [self]):
            raise ValueError("a part without a file")


class _Page(Struct):
    page_id: Count
    page_title: str
    wiki: str | None = None


class _RenamedPage(_Page, kw_only=True):
    was: str


class _Form(Struct):
    """What a manifest must hold for us to read it. Whoever may write in the folder wrote it."""

    settings: Mapping[str, Mapping[str, Any]]
    inputs: tuple[_Input, ...]
    corpus: Mapping[str, Any] | None = None
    commands: Mapping[str, Texts] = _NONE
    verdicts: Counts = _NONE
    repeated: Counts = _NONE
    intents: Counts = _NONE
    intents_reverted: Counts = _NONE
    gone_pages: tuple[_Page, ...] = ()
    renamed_pages: tuple[_RenamedPage, ...] = ()
    duration_seconds: Annotated[float, Meta(ge=0, lt=1e12)] = 0


# What each version has counted of a corpus, and of one with several labels.
_COUNTED = frozenset("removed added unchanged splits notes".split())
_COUNTED_OF_LABELS = frozenset(
    "by sentences positives pages several kinds splits relations left_out labels negatives "
    "notes".split()
)


def misfit(found: object) -> str:
    """Return what is not as a manifest has it, in a few words; "" where all is."""
    try:
        corpus = convert(found, _Form).corpus
        if corpus is not None:
            # Most runs on a new folder have none, and need not load what counts one.
            from wikibias.corpus.composition import RecordedComposition  # noqa: PLC0415

            labelled = convert(corpus, RecordedComposition).labelled
            if not corpus.keys() >= _COUNTED:
                return "corpus"
            if labelled is not None and not corpus["labelled"].keys() >= _COUNTED_OF_LABELS:
                return "labelled"
    except ValueError as error:
        text = str(error)
        if text.startswith("the part"):
            return text.partition(" - at")[0]
        place = re.search(r"\$\.(\w+)", text)
        return place[1] if place else "it holds no settings and inputs"
    return ""


NAME = "manifest.json"
# What newer dumps say of pages of older ones.
PAGE_LISTS = ("gone_pages", "renamed_pages")
Manifest = dict[str, Any]
_LIBRARIES = (
    "mwxml", "mwparserfromhell", "spacy", "rapidfuzz", "Levenshtein", "simplediff", "pyarrow",
    "numpy", "py7zr", "scipy", "scikit-learn",
)  # fmt: skip
_COUNTS = (
    "pages", "revisions", "unknown_texts", "unreadable", "steps_back_in_time", "removed", "added",
    *OTHER_EDITS,
)  # fmt: skip
# By intent: the edits that have it, and those of them that were undone.
INTENT_COUNTS = ("intents", "intents_reverted")
# To write the manifest takes as long as it has parts, so it is written less often the longer it
# takes: the cost of a run stays a straight line in its parts. What a kill loses of it is in the
# outputs themselves.
_PAUSE = 20


class DamagedManifestError(UsageError):
    """The file is cut off or empty, as after a power failure; the outputs themselves tell more."""


def load(folder: Path) -> Manifest | None:
    """Return the manifest of a result folder, or None when there is none.

    Raises:
        DamagedManifestError: the file is no JSON.
        UsageError: it cannot be read, or is no manifest of this version.
    """
    path = folder / NAME
    remedy = "start over with --restart, or choose another --out"
    try:
        found = read_json(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read ({error.strerror}); see to it that it can"
        ) from error
    except ValueError as error:
        raise DamagedManifestError(
            f"{path} is damaged; run the `wikibias extract` or `detect` again that made the "
            "folder: it keeps what is whole"
        ) from error
    if wrong := misfit(found):
        raise UsageError(f"{path} is not as wikibias writes it ({wrong}); {remedy}")
    return dict(found)


def load_recorded(folder: Path) -> Manifest:
    """Return the manifest of a folder in which a later stage is to go on.

    Raises:
        UsageError: there is none.
    """
    found = load(folder)
    if found is None and (folder / schemas.SENTENCE_PAIRS_FILE).is_file():
        raise UsageError(
            f"{folder} holds sentence pairs, not the edits that they come from; give the folder "
            "that `wikibias pairs` made them of"
        )
    if found is None:
        raise UsageError(f"{folder} holds no result; run `wikibias detect` or `extract` first")
    return found


def parts_of(manifest: Manifest) -> list[Part]:
    """Return the parts that a manifest lists."""
    return [
        Part(entry["part"], tuple(file["path"] for file in entry.get("files", [entry])))
        for entry in manifest["inputs"]
    ]


def settings_of(folder: Path, manifest: Manifest) -> Settings:
    """Return the settings that a manifest records.

    Raises:
        UsageError: another version of wikibias recorded them.
    """
    try:
        return settings_from(manifest["settings"])
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{folder} was made by another version of wikibias, which recorded other settings; run "
            f"`{_again(folder, manifest)}`"
        ) from error


def _again(folder: Path, manifest: Manifest) -> str:
    """Return the command that makes a result from its start, with what is known of the first."""
    typed = (manifest.get("commands") or {}).get("detect") or []
    # A manifest of somebody else may name any program, and `update` starts nothing over.
    if typed[:2] not in (["wikibias", "extract"], ["wikibias", "detect"]):
        typed = ["wikibias", "extract", "--out", str(folder), "DUMPS..."]
    return quoted(*typed[:2], "--restart", *(word for word in typed[2:] if word != "--restart"))


def corpus_of(
    folder: Path, manifest: Manifest | None, *, compare: bool = False
) -> dict[str, Any] | None:
    """Return what a manifest says of the corpus, where all of its files are there.

    Args:
        folder: the result folder.
        manifest: its manifest.
        compare: only where they are as they were written, too.
    """
    corpus = (manifest or {}).get("corpus")
    over_all = [stage for stage in stages.STAGES if stage.files]
    # A folder of intents alone has labelled/ and no corpus/.
    usual = [name for stage in over_all for name in stage.files]
    names = (corpus or {}).get("files") or usual
    if corpus is None or not all((folder / name).is_file() for name in names):
        return None
    # An older version noted no checksums.
    if compare and "files" in corpus:
        now = {name: sha for stage in over_all for name, sha in checksums(folder, stage).items()}
        return dict(corpus) if now == corpus["files"] else None
    return dict(corpus)


class RunRecord:
    """The manifest of a run, kept up to date part by part.

    Args:
        folder: the result folder; what its outputs say of themselves is read once, here.
        parts: in the order in which the manifest lists them.
        commands: by the name of a stage, the command that last did it.
        corpus: what the manifest records of the corpus; None when it is to be built.
        failures: by the name of a part, why an earlier run could not do it, if it is not done.
        before: the manifest of earlier runs, for the time that they have taken, and the pages that
            newer dumps lack.
    """

    def __init__(
        self,
        folder: Path,
        parts: Sequence[Part],
        settings: Settings,
        *,
        commands: Mapping[str, Sequence[str]] | None = None,
        corpus: Mapping[str, Any] | None = None,
        failures: Mapping[str, str] | None = None,
        before: Mapping[str, Any] | None = None,
    ) -> None:
        self.corpus = corpus
        before = before or {}
        self._pages = {name: list(before.get(name, ())) for name in PAGE_LISTS}
        self._folder, self._settings = folder, settings
        self._commands = dict(commands or {})
        self._failures = dict(failures or {})
        self._parts = {part.name: part for part in parts}
        self._entries = {part.name: self._entry(part) for part in parts}
        self._began = time.monotonic() - float(before.get("duration_seconds", 0))
        self._next_save = 0.0

    def update(self, part: Part) -> None:
        """Read again what the outputs of one part say of themselves."""
        self._entries[part.name] = self._entry(part)

    def compared(self, repeats: Repeats) -> None:
        """Take over what newer dumps have to do with older ones."""
        for name in repeats.rewritten:
            self._entries[name] = self._entry(self._parts[name])
        self._pages = {name: getattr(repeats, name) for name in PAGE_LISTS}

    def fail(self, part: Part, reason: str) -> None:
        """Note why a part could not be done."""
        self._failures[part.name] = reason
        self.update(part)

    def _entry(self, part: Part) -> dict[str, Any]:
        """Return what a manifest says of a part, as its outputs say it of themselves.

        An output that was made with other settings does not count.
        """
        failure = self._failures.get(part.name)
        wanted = stages.per_part()
        found = {
            stage.name: recorded_with(self._folder, stage, part.name, self._settings)
            for stage in wanted
        }
        done = [name for name, facts in found.items() if facts is not None]
        facts = {key: value for each in found.values() for key, value in (each or {}).items()}
        error = facts.get("error") or (failure if len(done) < len(wanted) else None)
        counts = {name: facts[name] for name in (*_COUNTS, "reverted") if name in facts}
        if facts:
            counts["unreadable"] = sum(facts.get(name, 0) for name in UNREADABLE)
        return {
            "part": part.name,
            **_files(part, facts.get("input") or {}),
            "wiki": facts.get("wiki"),
            **{key: facts.get(key) for key in ("first_page", "last_page", "newest")},
            "state": "failed" if error else "whole" if len(done) == len(wanted) else "missing",
            "stages": done,
            "error": error,
            "warnings": facts.get("warnings", []),
            "unreadable": [each for name in UNREADABLE for each in facts.get(f"first_{name}", [])],
            "counts": counts,
            "verdicts": facts.get("verdicts", {}),
            "superseded": facts.get("superseded", {}),
            **{key: facts[key] for key in INTENT_COUNTS if key in facts},
            "is_stub": facts.get("is_stub", False),
            "texts": facts.get("texts", {}),
        }

    def as_dict(self) -> Manifest:
        """Return the manifest, without the time that the run has taken."""
        inputs = list(self._entries.values())
        # Nobody who looks for tags alone need read of summaries.
        none = not_looked_for(self._settings.detect.signal)
        counts, kinds = ([n for n in names if n not in none] for names in (_COUNTS, ROW_COUNTS))
        return {
            "wikibias": __version__,
            "versions": _versions(),
            "lang": self._settings.detect.lang,
            "commands": self._commands,
            "settings": self._settings.as_dict(),
            "inputs": inputs,
            "counts": _sums((entry["counts"] for entry in inputs), dict.fromkeys(counts, 0)),
            "verdicts": _sums((entry["verdicts"] for entry in inputs), {}),
            **_intents(inputs, self._settings.detect.signal),
            "repeated": _sums((e["superseded"] for e in inputs), dict.fromkeys(kinds, 0)),
            **self._pages,
            "corpus": self.corpus,
            "complete": self.corpus is not None and all(e["state"] == "whole" for e in inputs),
        }

    def save(self) -> Manifest:
        """Write the manifest and return it."""
        began = time.monotonic()
        content = self.as_dict()
        text = ascii_json({**content, "duration_seconds": round(began - self._began, 1)}, indent=2)
        write_text(self._folder / NAME, text + "\n")
        ended = time.monotonic()
        self._next_save = ended + _PAUSE * (ended - began)
        return content

    def save_now_and_then(self) -> None:
        """Write the manifest if the last time is long enough ago for what that took."""
        if time.monotonic() >= self._next_save:
            self.save()


def _intents(
    inputs: Sequence[Mapping[str, Any]], signal: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Return how many edits of each intent were found, and undone; nothing if none is asked for."""
    names = names_of_intents(signal)
    start = dict.fromkeys(names, 0)
    each = INTENT_COUNTS if names else ()
    return {key: _sums((entry.get(key, {}) for entry in inputs), start) for key in each}


@cache
def _versions() -> dict[str, str]:
    """Return the versions of what a result depends on; to look them up takes some milliseconds."""
    # `make demo` runs before all are there.
    there = (each for each in _LIBRARIES if next(iter(Distribution.discover(name=each)), None))
    found = {library: version(library) for library in there}
    return {"python": platform.python_version(), **found}


def _sums(counts: Iterable[Mapping[str, int]], start: dict[str, int]) -> dict[str, int]:
    """Add counts up by name: those in `start` only, or all where it is empty."""
    total: Counter[str] = Counter(start)
    for each in counts:
        total.update({name: n for name, n in each.items() if not start or name in start})
    return dict(total)


def failures_of(manifest: Manifest) -> dict[str, str]:
    """Return why parts failed, by their names."""
    return {e["part"]: e["error"] for e in manifest["inputs"] if e.get("error")}


def _files(part: Part, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return path, size, time and checksum of a part's file; of several, those of each."""
    if len(part.files) == 1:
        return _file(part.files[0], identity)
    known = {file["name"]: file for file in identity.get("files", ())}
    files = [_file(path, known.get(file_name(path), {})) for path in part.files]
    return {**_file(None, {"size": identity.get("size")}), "files": files}


def _file(path: str | None, identity: Mapping[str, Any]) -> dict[str, Any]:
    return {"path": path, **{key: identity.get(key) for key in ("size", "mtime_ns", "sha256")}}
