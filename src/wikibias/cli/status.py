"""`wikibias status`, and what a run shows at its end: Tables 2 and 3 of the paper, warnings."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from wikibias.config.choices import names_of_intents, unit_of
from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.parts import dump_date
from wikibias.errors import counted, quoted
from wikibias.kits.command import corpus_argument
from wikibias.kits.files import to_json
from wikibias.kits.folders import busy
from wikibias.kits.terminal import echo, echo_data, show
from wikibias.pipeline import dispatch, manifest, stages
from wikibias.pipeline.manifest import Manifest, RunRecord
from wikibias.records import KEPT, MOST_NAMED

_MOST_SHOWN = 5


def month_lines(recorded: dict[str, Any]) -> Iterator[str]:
    """Yield a line for the dumps, where they are of several dates, and what `repeat_lines` says."""
    dates = Counter(dump_date(entry["part"]) for entry in recorded["inputs"])
    dated = sorted(date for date in dates if date is not None)
    if len(dated) > 1:
        of_each = (f"{d[:4]}-{d[4:6]}-{d[6:]} ({counted(dates[d], 'part')})" for d in dated)
        yield f"Dumps: {', '.join(of_each)}."
    yield from repeat_lines(recorded)


def repeat_lines(recorded: dict[str, Any]) -> Iterator[str]:
    """Yield a line for what stands in several dumps, for pages that are gone, and for renamed ones.

    There is none where nothing is to be said.
    """
    repeated = recorded.get("repeated", {})
    removed, added = repeated.get("removed", 0), repeated.get("added", 0)
    found = [counted(removed, "removal"), counted(added, "addition")] if removed or added else []
    for kind, word in manifest.OTHER_EDITS.items():
        if number := repeated.get(kind, 0):
            found.append(counted(number, word))
    if found:
        listed = " and ".join(filter(None, (", ".join(found[:-1]), found[-1])))
        yield (
            f"{listed} stand in an earlier dump as well and count once; "
            "pages and revisions are those of all dumps together."
        )
    gone, renamed = recorded.get("gone_pages", []), recorded.get("renamed_pages", [])
    if gone:
        yield (
            f"{_pages(gone)} of an earlier dump, or tagged revisions of them, are "
            f"not in the newest one; their edits stay: {_first([p['page_title'] for p in gone])}."
        )
    if renamed:
        titles = [f"{page['page_title']} (was {page['was']})" for page in renamed]
        yield f"{_pages(renamed)} with another title now: {_first(titles)}."


def _pages(named: list[dict[str, Any]]) -> str:
    return f"{'At least ' * (len(named) >= MOST_NAMED)}{counted(len(named), 'page')}"


def _first(names: list[str]) -> str:
    more = len(names) - _MOST_SHOWN
    shown = ", ".join(names[:_MOST_SHOWN])
    return shown if more <= 0 else f"{shown}, and {more:,} more (manifest.json)"


def show_result(folder: Path, recorded: dict[str, Any], *, quiet: bool) -> int:
    """Show the tables and errors of a run; return the exit code.

    It is 1 if a part failed or something in it could not be worked out.
    """
    failed = [entry for entry in recorded["inputs"] if entry["error"]]
    for entry in recorded["inputs"]:
        for warning in entry["warnings"]:
            echo(f"Warning: {entry['part']}: {warning}", err=True)
    shows = not quiet and (recorded["counts"]["pages"] or not failed)
    if shows:
        _show_tables(folder, recorded)
    for entry in failed:
        where = "standard input" if entry["path"] == STDIN else entry["path"] or entry["part"]
        echo(f"Error: {where} {entry['error']}", err=True)
    if not shows and recorded["corpus"] and not any(recorded["corpus"]["splits"].values()):
        labelled = recorded["corpus"].get("labelled") or {"sentences": 0, "notes": []}
        for note in (*recorded["corpus"]["notes"], *labelled["notes"]):
            if not labelled["sentences"]:
                echo(f"Warning: {note}", err=True)
    unreadable = _unreadable(recorded)
    for line in unreadable:
        echo(line, err=True)
    if failed:
        of_all = f"{len(failed)} of {counted(len(recorded['inputs']), 'part')}"
        without = [entry for entry in failed if entry["error"].startswith(dispatch.FAILED)]
        some = any(entry["counts"].get("pages") for entry in failed if entry not in without)
        kept = "; what could be read of them is kept" if some else ""
        kept += "; no corpus is built without them" if without else ""
        echo(
            f"{of_all} failed{kept}. "
            "Fix the cause and run the command again: it repeats only the failed parts. To "
            "leave one out, move its file away and give the others.",
            err=True,
        )
    return 1 if failed or unreadable else 0


def _unreadable(recorded: dict[str, Any]) -> list[str]:
    named = [(entry["part"], each) for entry in recorded["inputs"] for each in entry["unreadable"]]
    return unreadable_lines(recorded["counts"]["unreadable"], named, "manifest.json")


def unreadable_lines(
    number: int, named: Sequence[tuple[str, Mapping[str, Any]]], where: str
) -> list[str]:
    """Return lines that name the first pages and revisions that could not be worked out.

    Args:
        number: of all of them.
        named: some of them, each with the name of its part.
        where: more of them are to be found.
    """
    if not number:
        return []
    what = "page or revision" if number == 1 else "pages or revisions"
    lines = [f"Error: {number:,} {what} could not be worked out and had to be left out:"]
    for part, each in named[:_MOST_SHOWN]:
        at = "page" if each["page_id"] is None else f"page {each['page_id']}"
        if each["revision"] is not None:
            at += f", revision {each['revision']}"
        lines.append(f"  {part}: {each['page']} ({at}): {each['cause']}")
    if number > _MOST_SHOWN:
        lines.append(f"  and {number - _MOST_SHOWN:,} more: see {where}")
    return lines


def show_status(recorded: dict[str, Any]) -> None:
    """Show which parts are whole, failed or missing, and the counts."""
    inputs, counts = recorded["inputs"], recorded["counts"]
    states = {
        state: [e for e in inputs if e["state"] == state]
        for state in ("whole", "failed", "missing")
    }
    shares = ", ".join(f"{len(entries):,} {state}" for state, entries in states.items())
    echo(f"{counted(len(inputs), 'part')}: {shares}.")
    for entry in states["failed"]:
        echo(f"  failed   {entry['part']} {entry['error']}")
    for entry in states["missing"]:
        done = f" (done: {', '.join(entry['stages'])})" if entry["stages"] else ""
        echo(f"  missing  {entry['part']}{done}")
    echo(
        f"{counted(counts['pages'], 'page')}, {counted(counts['revisions'], 'revision')}: "
        f"{', '.join(manifest.found_edits(recorded))}; "
        f"{counted(recorded['verdicts'].get(KEPT, 0), 'edit')} kept."
    )
    for line in (*month_lines(recorded), *_unreadable(recorded)):
        echo(line.removeprefix("Error: "))
    corpus = recorded["corpus"]
    sentences = sum(corpus["splits"].values()) if corpus else 0
    labelled = (corpus or {}).get("labelled")
    if not (labelled and not sentences):
        unit = unit_of(recorded["settings"])
        echo(f"Corpus: {counted(sentences, unit) if corpus else 'not built yet'}.")
    if labelled:
        echo(
            f"Labels by {labelled['by']}: {counted(labelled['sentences'], 'sentence')}, "
            f"{labelled['positives']:,} with a label."
        )
    for warning, number in Counter(each for e in inputs for each in e["warnings"]).items():
        echo(f"{counted(number, 'part')}: {warning}.")


def _show_tables(folder: Path, recorded: dict[str, Any]) -> None:
    counts = recorded["counts"]
    read = (
        counted(len(recorded["inputs"]), "part"),
        counted(counts["pages"], "page"),
        counted(counts["revisions"], "revision"),
    )
    echo(f"{', '.join(read)}: {', '.join(manifest.found_edits(recorded))}.")
    for line in repeat_lines(recorded):
        echo(line)
    if counts["unknown_texts"]:
        lost = counted(counts["unknown_texts"], "revision")
        echo(f"{lost} without text (suppressed or lost).")
    stubs = [entry for entry in recorded["inputs"] if entry.get("is_stub")]
    if stubs:
        echo(f"{counted(len(stubs), 'stub dump')}, without texts.")
    if recorded["verdicts"]:
        from wikibias.corpus.composition import filters_table  # a quiet run shows no table

        show(filters_table(recorded["verdicts"], recorded["settings"]["detect"]), boxed=True)
    corpus, found_by = recorded["corpus"], manifest.signals(recorded["settings"]["detect"])
    if corpus:
        _show_corpus(corpus, found_by, unit_of(recorded["settings"]))
    failed = any(entry["error"] for entry in recorded["inputs"])
    if "tag" in found_by and not (counts["removed"] or failed):
        echo("No tag of the tag set was removed in this dump, so there is nothing to compare.")
    echo(f"Result: {folder}")
    if manifest.lacks_texts(recorded):
        echo(f"Next: {quoted('wikibias', 'fetch', '--revisions', str(folder))}")
    elif counts.get("summary_edits") and not corpus:
        echo(f"Next: {pairs_command(folder)}")
    commands = commands_of_corpus(folder, corpus)
    for command in commands:
        echo(f"Next: {command}")
    if corpus and not commands and not failed:
        echo(f"Next: {_as_text(_of_no_corpus(folder, recorded))}")


def _show_corpus(corpus: Manifest, found_by: Sequence[str], unit: str) -> None:
    from wikibias.corpus.composition import composition_table, labels_table

    # Of a folder of intents alone there is no corpus of two classes.
    if "tag" in found_by or "summary" in found_by:
        table, dropped = composition_table(corpus, unit), corpus.get("duplicates", 0)
        told = f"; {counted(dropped, unit)} dropped as duplicates" if dropped else ""
        show(replace(table, caption=f"{table.caption}{told}"), boxed=True)
        if any(number for labels in corpus.get("tiers", {}).values() for number in labels.values()):
            tiers = corpus["tiers"].items()
            shares = (f"{name} {of['biased']:,} and {of['neutral']:,}" for name, of in tiers)
            echo(f"Tiers, biased and neutral: {'; '.join(shares)}")
    labelled = corpus.get("labelled")
    for note in corpus["notes"]:
        echo(f"Note: {note}.")
    if labelled:
        show(labels_table(labelled), boxed=True)
        if labelled["by"] == "tags":
            echo(
                "Labels of tags also count edits that were dropped for what became of the text, "
                "such as only the tag removed."
            )
        for note in labelled["notes"]:
            echo(f"Note: {note}.")


def commands_of_corpus(folder: Path, corpus: Mapping[str, Any] | None) -> list[str]:
    """Return what to do with what `build` made; nothing where it made no sentence."""
    found = []
    if corpus and (labelled := corpus.get("labelled")):
        words = ["wikibias", "classify", "--task", "labels", "--model", "nb-lr", str(folder)]
        found += _folds_commands(folder, labelled) or [quoted(*words)]
    if corpus and (found or any(corpus["splits"].values())):
        found.append(quoted("wikibias", "report", str(folder)))
        found += _folds_commands(folder, corpus)
    return found


def pairs_command(folder: Path) -> str:
    """Return the command that makes sentence pairs of a result folder."""
    out = Path("pairs", folder.resolve().name)
    return quoted("wikibias", "pairs", str(folder), "--rules", "own", "--out", str(out))


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
    from wikibias.corpus.composition import of_earlier_corpora  # as above

    found = manifest.load_recorded(folder)
    # The outputs themselves tell, since a run that was killed may not have written it down.
    settings, parts = manifest.settings_of(folder, found), manifest.parts_of(found)
    corpus = manifest.corpus_of(folder, found)
    failures = manifest.failures_of(found)
    record = RunRecord(folder, parts, settings, corpus=corpus, failures=failures, before=found)
    now = record.as_dict()
    following = _next(folder, now, found.get("commands", {}))
    if as_json:
        echo_data(to_json(_as_json(folder, now, following)))
    else:
        show_status(now)
        # Pairs need no comparison of the whole, which the line below is about.
        if now["counts"].get("summary_edits") and not corpus and "fetch" not in following:
            echo(f"For sentence pairs: {pairs_command(folder)}")
        for name in of_earlier_corpora(folder, now):
            echo(f"Of an earlier corpus: {name}. Make it again.")
        echo(f"Next: {_as_text(following)}")
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
        "next": _as_text(following),
        "next_command": None if isinstance(following, str) else following,
    }


def _next(folder: Path, now: Manifest, commands: dict[str, list[str]]) -> str | list[str]:
    """Return what to do next: a command, recorded or a later one, or advice in words."""
    if busy(folder):
        return "a run is at work here"
    if now["complete"]:
        if not any(now["corpus"]["splits"].values()):
            return _of_no_corpus(folder, now)
        if not all(now["corpus"]["splits"].values()):
            return _of_empty_split(folder, now["corpus"])
        return ["wikibias", "classify", "--model", "nb-lr", str(folder)]
    for stage in stages.STAGES:
        failed = not stage.reads and any(entry["error"] for entry in now["inputs"])
        if failed or stage.files or any(stage.name not in e["stages"] for e in now["inputs"]):
            recorded = commands.get(stage.name)
            # It cannot be built as it was asked for.
            wants_featured = now["settings"].get("build", {}).get("negatives") == "featured"
            if stage.files and wants_featured and not now["counts"].get("featured_spans"):
                recorded = ["wikibias", stage.name, "--restart", str(folder)]
            # A manifest of somebody else may name any program.
            if not recorded or recorded[0] != "wikibias":
                recorded = ["wikibias", stage.name, str(folder)]
            if stage.reads and manifest.lacks_texts(now):
                recorded = ["wikibias", "fetch", "--revisions", str(folder)]
            return list(recorded)
    return "nothing"


def _as_text(following: str | list[str]) -> str:
    return following if isinstance(following, str) else quoted(*following)


def _of_empty_split(folder: Path, made: Mapping[str, Any]) -> str:
    return "add dump parts, as a split of the corpus is empty" + "".join(
        f"; or {command}" for command in _folds_commands(folder, made)
    )


def _folds_commands(folder: Path, made: Mapping[str, Any]) -> list[str]:
    """Return the command that judges a model by folds of pages, where a split is empty.

    There is none for a single page, or where all sentences have one label.
    """
    splits = made.get("splits", {}).values()
    if all(splits) or made.get("pages", 0) < 2 or made.get("removed") in (0, sum(splits)):
        return []
    task = ["--task", "labels"] if "labels" in made else []
    folds = ["--cv", "page", "--folds", str(min(5, made["pages"]))]
    return [quoted("wikibias", "classify", *task, "--model", "nb-lr", *folds, str(folder))]


# Of such verdicts no filter is to be left out: the edits stay, or have no sentence to give.
_OF_NOTHING = {KEPT, "unknown_text", "tag_only", "unreadable", "insertions_only"}


def _of_no_corpus(folder: Path, now: Manifest) -> str | list[str]:
    """Return what to do next where there is no sentence of two classes."""
    labelled = now["corpus"].get("labelled") or {}
    if labelled.get("sentences") and not all(labelled["splits"].values()):
        return _of_empty_split(folder, labelled)
    if labelled.get("sentences"):
        return ["wikibias", "classify", "--task", "labels", "--model", "nb-lr", str(folder)]
    found_by = manifest.signals(now["settings"]["detect"])
    if not set(found_by) & {"tag", "summary"}:
        return "the corpus is empty; try more dumps, or other intents (--signal)"
    if names_of_intents(found_by) and not labelled and now["verdicts"].get(KEPT):
        return ["wikibias", "build", "--labels", "intents", str(folder)]
    build = now["settings"]["build"]
    lower = build["min_tier"] != "low" or build["min_confidence"]
    where = quoted(str(folder))
    tier = f"a lower --min-confidence (wikibias build --restart {where}), " if lower else ""
    dropped = {name: n for name, n in now["verdicts"].items() if n and name not in _OF_NOTHING}
    most, listed = max(dropped, key=dropped.__getitem__, default=""), now["settings"]["filter"]
    filters = ""
    if most and most != listed["filters"]:
        without = quoted(f"{listed['filters']},-{most}")
        redo = f"wikibias filter --restart --filters {without} {where}"
        filters = f"fewer filters ({redo}, then wikibias build {where}), "
    return f"the corpus is empty; try {tier}more dumps, {filters}or other tags (--tagset)"
