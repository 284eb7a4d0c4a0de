"""`wikibias status`: how far a result is, and what to type next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from wikibias.cli.options import folder_argument
from wikibias.cli.run_summary import show_status
from wikibias.config.thresholds import Config, load_config
from wikibias.dumps.parts import Part, find_parts
from wikibias.errors import UsageError
from wikibias.pipeline import manifest, settings
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.runner import recorded
from wikibias.storage.locks import busy

_CONFIG = "thresholds.toml"


@click.command(name="status")
@folder_argument
def command(folder: Path) -> int:
    """Show which parts are whole, failed or missing, what was counted, and what to type next.

    Works at any time, also while a run is at work in FOLDER. Exit code 1 when a part failed.

    \b
    Example:
      wikibias status corpora/fr
    """
    found = recorded(folder)
    thresholds: list[str] = []
    if busy(folder):
        following = "a run is at work here"
    elif found["complete"] and not any(found["corpus"]["splits"].values()):
        following = "the corpus is empty; try more dumps, or other tags (see wikibias tags count)"
    elif found["complete"]:
        following = f"wikibias classify --model nb-lr {shlex.quote(str(folder))}"
    else:
        thresholds = _own_thresholds(manifest.settings_of(folder, found))
        following = shlex.join(_same_again(folder, found))
    show_status(found)
    if thresholds:
        # The manifest holds the values, and not the name of the file that they came from.
        click.echo("\n".join([f"Its thresholds, to be saved as {_CONFIG}:", *thresholds]))
    click.echo(f"Next: {following}")
    return 1 if any(entry["error"] for entry in found["inputs"]) else 0


def _same_again(folder: Path, found: Manifest) -> list[str]:
    """Return the command that does what is missing, with the options it began with."""
    old = manifest.settings_of(folder, found)
    words = ["wikibias", "extract", "--lang", old.detect.lang, "-o", str(folder)]
    usual = settings.make_settings(old.detect.lang, load_config(None))
    for name, value, default in (
        ("--tagset", old.detect.tagset, usual.detect.tagset),
        ("--per", old.detect.per, usual.detect.per),
        ("--limit", old.detect.limit, usual.detect.limit),
        ("--scope", old.diff.scope, usual.diff.scope),
        ("--reverts", old.filter.reverts, usual.filter.reverts),
        ("--split", old.build.split, usual.build.split),
        ("--seed", old.build.seed, usual.build.seed),
    ):
        words += [name, str(value)] if value != default else []
    if old.detect.namespaces != usual.detect.namespaces:
        words += [w for n in old.detect.namespaces for w in ("--namespace", str(n))]
    for name, values, defaults in (
        ("--family", old.detect.families, usual.detect.families),
        ("--pairing", old.detect.pairing, usual.detect.pairing),
    ):
        words += [w for value in values for w in (name, value)] if values != defaults else []
    words += ["--with-editors"] if old.detect.with_editors else []
    words += ["--config", _CONFIG] if _own_thresholds(old) else []
    return words + _inputs(manifest.parts_of(found))


def _own_thresholds(of: settings.Settings) -> list[str]:
    """Return the thresholds that are not the usual ones, as lines of TOML."""
    own = Config(of.detect.reverts, of.diff.text, of.filter.limits, of.build.shares).as_dict()
    return [
        f"{section}.{key} = {own[section][key]}"
        for section, usual in load_config(None).as_dict().items()
        for key, value in usual.items()
        if own[section][key] != value
    ]


def _inputs(parts: Sequence[Part]) -> list[str]:
    """Return the parts as arguments: by their folder, where that gives just these."""
    files = [path for part in parts for path in part.files]
    folders = {str(Path(path).parent) for path in files}
    if len(files) > 1 and len(folders) == 1:
        with suppress(UsageError, OSError):
            if find_parts(folders) == list(parts):
                return list(folders)
    return files
