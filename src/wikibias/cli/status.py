"""`wikibias status`: how far a result is, and what to type next."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import click

from wikibias.cli.run_summary import pairs_command, show_status
from wikibias.config.signals import names_of_intents
from wikibias.kits.command import corpus_argument
from wikibias.kits.folders import busy
from wikibias.kits.terminal import echo, echo_data
from wikibias.pipeline import manifest, stages
from wikibias.pipeline.manifest import Manifest, RunRecord, lacks_texts, signals
from wikibias.pipeline.stages import KEPT

ROLES = ("removed", "added", "unchanged")
# The months of a dump, where they are known: the pages that it holds, and its newest revision.
_MONTHS = ("first_page", "last_page", "newest")
_OF_AN_INPUT = ("part", "path", "files", "wiki", "state", "stages", "error", "counts", *_MONTHS)


@click.command(name="status")
@corpus_argument(built=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def command(folder: Path, as_json: bool) -> int:
    """Show which parts are whole or missing, and what to type next.

    Works at any time, also while a run is at work in FOLDER. Exit code 1 when a part failed or
    something in it could not be worked out.

    \b
    Examples:
      wikibias status corpora/fr
      wikibias status --json corpora/fr
    """
    found = manifest.load_recorded(folder)
    # The outputs themselves tell, since a run that was killed may not have written it down.
    settings, parts = manifest.settings_of(folder, found), manifest.parts_of(found)
    corpus = manifest.corpus_of(folder, found)
    failures = manifest.failures_of(found)
    record = RunRecord(folder, parts, settings, corpus=corpus, failures=failures, before=found)
    now = record.as_dict()
    following = _next(folder, now, found.get("commands", {}))
    if as_json:
        echo_data(json.dumps(_as_json(folder, now, following), ensure_ascii=False))
    else:
        show_status(now)
        # Pairs need no comparison of the whole, which the line below is about.
        if now["counts"].get("summary_edits") and not corpus and "fetch" not in following:
            echo(f"For sentence pairs: {pairs_command(folder)}")
        echo(f"Next: {following if isinstance(following, str) else shlex.join(following)}")
    return 1 if any(entry["error"] or entry["unreadable"] for entry in now["inputs"]) else 0


def _as_json(folder: Path, now: Manifest, following: str | list[str]) -> dict[str, Any]:
    """Return what is shown, for programs; `wikibias docs output` explains the keys."""
    inputs, corpus = now["inputs"], now["corpus"]
    states = Counter(entry["state"] for entry in inputs)
    return {
        "folder": str(folder),
        "lang": now["lang"],
        "busy": busy(folder),
        "complete": now["complete"],
        "parts": {state: states[state] for state in ("whole", "failed", "missing")},
        "counts": now["counts"],
        "kept": now["verdicts"].get(KEPT, 0),
        "corpus": corpus
        and {name: corpus[name] for name in ("splits", *ROLES, "featured") if name in corpus},
        "inputs": [{key: entry.get(key) for key in _OF_AN_INPUT} for entry in inputs],
        "next": following if isinstance(following, str) else shlex.join(following),
        "next_command": None if isinstance(following, str) else following,
    }


def _next(folder: Path, now: Manifest, commands: dict[str, list[str]]) -> str | list[str]:
    """Return what to do next: a command, recorded or a later one, or advice in words."""
    if busy(folder):
        return "a run is at work here"
    if now["complete"] and not any(now["corpus"]["splits"].values()):
        return _of_no_corpus(folder, now)
    if now["complete"] and not all(now["corpus"]["splits"].values()):
        return _of_empty_split(folder)
    if now["complete"]:
        return ["wikibias", "classify", "--model", "nb-lr", str(folder)]
    for stage in stages.STAGES:
        failed = not stage.reads and any(entry["error"] for entry in now["inputs"])
        if failed or stage.files or any(stage.name not in e["stages"] for e in now["inputs"]):
            recorded = commands.get(stage.name)
            if stage.files and _lacks_featured(now):
                recorded = ["wikibias", stage.name, "--restart", str(folder)]
            # A manifest of somebody else may name any program.
            if not recorded or recorded[0] != "wikibias":
                recorded = ["wikibias", stage.name, str(folder)]
            if stage.reads and lacks_texts(now):
                recorded = ["wikibias", "fetch", "--revisions", str(folder)]
            may_refuse = stage.files and now["settings"].get("build", {}).get("balance_topics")
            return _of_topics(folder, recorded) if may_refuse else list(recorded)
    return "nothing"


def _of_topics(folder: Path, command: list[str]) -> str:
    """Return both ways on, since a build that refused to balance topics would do so again."""
    without = shlex.join(["wikibias", "build", "--restart", str(folder)])
    return (
        f"{shlex.join(command)}; or, if topics cannot be balanced, {without} "
        "(with your other options for the corpus)"
    )


def _of_empty_split(folder: Path) -> str:
    split = f"wikibias build --restart --split sentence {shlex.quote(str(folder))}"
    return (
        f"add dump parts, as a split of the corpus is empty; or {split} "
        "(with your other options for the corpus)"
    )


def _lacks_featured(now: Manifest) -> bool:
    """Return whether the corpus cannot be built as it was asked for."""
    wanted = now["settings"].get("build", {}).get("negatives") == "featured"
    return wanted and not now["counts"].get("featured_spans")


def _of_no_corpus(folder: Path, now: Manifest) -> str | list[str]:
    """Return what to do next where there is no sentence of two classes."""
    labelled = now["corpus"].get("labelled") or {}
    if labelled.get("sentences") and not all(labelled["splits"].values()):
        return _of_empty_split(folder)
    if labelled.get("sentences"):
        return ["wikibias", "classify", "--task", "labels", "--model", "nb-lr", str(folder)]
    found_by = signals(now["settings"]["detect"])
    if not set(found_by) & {"tag", "summary"}:
        return "the corpus is empty; try more dumps, or other intents (--signal)"
    if names_of_intents(found_by) and not labelled and now["verdicts"].get(KEPT):
        return ["wikibias", "build", "--labels", "intents", str(folder)]
    lower = now["settings"]["build"]["min_tier"] != "low"
    tier = "a lower --min-tier (wikibias build --restart), " if lower else ""
    where = shlex.quote(str(folder))
    filters = f"fewer filters (wikibias filter --restart --filters paper {where})"
    return f"the corpus is empty; try {tier}more dumps, {filters}, or other tags (--tagset)"
