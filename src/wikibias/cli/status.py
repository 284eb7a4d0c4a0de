"""`wikibias status`: how far a result is, and what to type next."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from wikibias.cli.options import folder_argument
from wikibias.cli.run_summary import show_status
from wikibias.cli.terminal import echo
from wikibias.pipeline import manifest, stages
from wikibias.pipeline.manifest import Manifest, RunRecord
from wikibias.storage.locks import busy


@click.command(name="status")
@folder_argument
def command(folder: Path) -> int:
    """Show which parts are whole or missing, and what to type next.

    Works at any time, also while a run is at work in FOLDER. Exit code 1 when a part failed or
    something in it could not be worked out.

    \b
    Example:
      wikibias status corpora/fr
    """
    found = manifest.load_recorded(folder)
    # The outputs themselves tell, since a run that was killed may not have written it down.
    settings, parts = manifest.settings_of(folder, found), manifest.parts_of(found)
    corpus = manifest.corpus_of(folder, found)
    failures = manifest.failures_of(found)
    record = RunRecord(folder, parts, settings, corpus=corpus, failures=failures, before=found)
    now = record.as_dict()
    show_status(now)
    echo(f"Next: {_next(folder, now, found.get('commands', {}))}")
    return 1 if any(entry["error"] or entry["unreadable"] for entry in now["inputs"]) else 0


def _next(folder: Path, now: Manifest, commands: dict[str, list[str]]) -> str:
    """Return what to do next: the recorded command of what is missing, or a later one."""
    if busy(folder):
        return "a run is at work here"
    if now["complete"] and not any(now["corpus"]["splits"].values()):
        lower = now["settings"]["build"]["min_tier"] != "low"
        tier = "a lower --min-tier (wikibias build --restart), " if lower else ""
        return f"the corpus is empty; try {tier}more dumps, or other tags (see wikibias tags count)"
    if now["complete"] and not all(now["corpus"]["splits"].values()):
        split = f"wikibias build --restart --split sentence {shlex.quote(str(folder))}"
        return (
            f"add dump parts, as a split of the corpus is empty; or {split} "
            "(with your other options for the corpus)"
        )
    if now["complete"]:
        return f"wikibias classify --model nb-lr {shlex.quote(str(folder))}"
    for stage in stages.STAGES:
        failed = not stage.reads and any(entry["error"] for entry in now["inputs"])
        if failed or stage.files or any(stage.name not in e["stages"] for e in now["inputs"]):
            recorded = commands.get(stage.name)
            # A manifest of somebody else may name any program.
            if not recorded or recorded[0] != "wikibias":
                recorded = ["wikibias", stage.name, str(folder)]
            return shlex.join(recorded)
    return "nothing"
