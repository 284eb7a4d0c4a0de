"""Files of many runs: `[[run]]` for each wiki, `[defaults]` for all, and thresholds beside them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from wikibias.cli.ending import check_arguments
from wikibias.cli.extract import OTHERS, read_preset, run_table, texts, whole_file
from wikibias.config.thresholds import DEFAULTS, RUN, load_config
from wikibias.errors import UsageError
from wikibias.kits import hub
from wikibias.kits.checked import Meta, NonEmpty, entry_of, hints_of, read_toml
from wikibias.pipeline.settings import Settings, make_settings

HOW = ("workers", "engine", "scheduler")
"""Keys of any run."""
# What is no setting of a stage: those of a run, of its dumps, and of what becomes of its corpus.
_KEYS: dict[str, Any] = {
    "out": NonEmpty,
    "preset": NonEmpty,
    **{key: hint for key, hint, _ in OTHERS if key in HOW},
    "downloads": NonEmpty,
    "kind": Literal["history", "content"],
    "base_url": NonEmpty,
    "format": Literal["hf", "parquet", "jsonl", "csv", "tsv", "xlsx", "fasttext", "tone-check"],
    "repository": NonEmpty,
    "private": bool,
}


@dataclass(frozen=True, slots=True)
class Wiki:
    """What is to be done for a wiki: its folders, its settings, and all keys of the file."""

    out: Path
    downloads: Path
    settings: Settings
    keys: Mapping[str, Any]


def in_keys(message: str) -> str:
    """Return a message with keys for options, but for those that stand in no file of runs."""
    options = "`[^`]*`|--(?!yes|restart|debug)([a-z-]+)"
    return re.sub(options, lambda of: (of[1] or "").replace("-", "_") or of[0], message)


def _file() -> type[Any]:
    run: Any = run_table()
    others = {"lang", *(key for key, _, _ in OTHERS)}
    keys = {key: hint for key, hint in hints_of(run).items() if key not in others} | _KEYS
    optional = [(name, hint, field(default=None)) for name, hint in keys.items()]
    shared = make_dataclass("Defaults", optional)
    one = make_dataclass("Run", [("lang", NonEmpty), *optional])
    runs: Any = Annotated[tuple[one, ...], Meta(min_length=1)]  # type: ignore[valid-type]
    return whole_file((RUN, runs), (DEFAULTS, shared, field(default_factory=shared)))


def read_wikis(path: Path) -> list[Wiki]:
    """Return what a file asks for, in its order; paths in it count from its own folder.

    Raises:
        UsageError: an unknown key, a value that is not allowed, or two results in one folder; one
            line that names file, line and key.
    """
    content, file = read_toml(path, _file())
    config, found, named = load_config(path), dict[Path, Wiki](), set[tuple[str, str]]()
    private = dict[str, bool]()
    shared = {key: getattr(content.defaults, key) for key in file.table.get(DEFAULTS, {})}
    for number, entry in enumerate(content.run):
        given = shared | {key: getattr(entry, key) for key in file.table[RUN][number]}
        check_arguments([str(path), *texts(given)])
        out = path.parent / given.get("out", f"corpora/{entry.lang}")
        try:
            given = {**(read_preset(given["preset"]) if "preset" in given else {}), **given}
            choices = {key: value for key, value in given.items() if key not in _KEYS}
            settings = make_settings(thresholds=config, **choices)
            whole = out.resolve()
            if any(whole in (each, *each.parents) or each in whole.parents for each in found):
                raise UsageError(f"{out} is, or shares, the folder of another run; give its own")
            if repository := given.get("repository"):
                hub.check_name(repository)
                if (repository, out.name) in named:
                    raise UsageError(f"two folders for {repository} are called {out.name}")
                said = given.get("private")
                if said is not None and private.setdefault(repository, said) != said:
                    raise UsageError(f"{repository!r} is private for one run, public for another")
                named.add((repository, out.name))
        except UsageError as error:
            # The key whose value it tells.
            told = in_keys(str(error))
            keys = (key for key in given for t in texts({key: given[key]}) if repr(t) in told)
            place = (RUN, number, next(keys, ""))
            raise UsageError(f"{file.at(place)}: {entry_of(file.table, place)}{told}") from error
        downloads = path.parent / given.get("downloads", "dumps")
        found[out.resolve()] = Wiki(out, downloads, settings, given)
    return [*found.values()]
