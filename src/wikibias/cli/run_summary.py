"""Shows tables and warnings at the end of a run: the paper's Tables 2 and 3."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.cli.months import month_lines, repeat_lines
from wikibias.dumps.compression.streams import STDIN
from wikibias.kits.terminal import echo
from wikibias.messages import counted, printable
from wikibias.pipeline.dispatch import FAILED
from wikibias.pipeline.manifest import lacks_texts, signals
from wikibias.pipeline.stages import KEPT

if TYPE_CHECKING:
    from rich.table import Table

_MOST_SHOWN = 5


def show_result(folder: Path, manifest: dict[str, Any], *, quiet: bool) -> int:
    """Show the tables and errors of a run; return the exit code.

    It is 1 if a part failed or something in it could not be worked out.
    """
    failed = [entry for entry in manifest["inputs"] if entry["error"]]
    for entry in manifest["inputs"]:
        for warning in entry["warnings"]:
            echo(f"Warning: {entry['part']}: {warning}", err=True)
    shows = not quiet and (manifest["counts"]["pages"] or not failed)
    if shows:
        _show_tables(folder, manifest)
    for entry in failed:
        where = "standard input" if entry["path"] == STDIN else entry["path"] or entry["part"]
        echo(f"Error: {where} {entry['error']}", err=True)
    if not shows and manifest["corpus"] and not any(manifest["corpus"]["splits"].values()):
        labelled = manifest["corpus"].get("labelled") or {"sentences": 0, "notes": []}
        for note in (*manifest["corpus"]["notes"], *labelled["notes"]):
            if not labelled["sentences"]:
                echo(f"Warning: {note}", err=True)
    unreadable = _unreadable(manifest)
    for line in unreadable:
        echo(line, err=True)
    if failed:
        of_all = f"{len(failed)} of {counted(len(manifest['inputs']), 'part')}"
        without = [entry for entry in failed if entry["error"].startswith(FAILED)]
        some = any(entry["counts"].get("pages") for entry in failed if entry not in without)
        kept = "; what could be read of them is kept" if some else ""
        kept += "; no corpus is built without them" if without else ""
        echo(
            f"{of_all} failed{kept}. "
            "Fix the cause and run the command again: it repeats only the failed parts.",
            err=True,
        )
    return 1 if failed or unreadable else 0


def _unreadable(manifest: dict[str, Any]) -> list[str]:
    named = [(entry["part"], each) for entry in manifest["inputs"] for each in entry["unreadable"]]
    return unreadable_lines(manifest["counts"]["unreadable"], named, "manifest.json")


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


def show_status(manifest: dict[str, Any]) -> None:
    """Show which parts are whole, failed or missing, and the counts."""
    inputs, counts = manifest["inputs"], manifest["counts"]
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
        f"{', '.join(_found(manifest))}; "
        f"{counted(manifest['verdicts'].get(KEPT, 0), 'edit')} kept."
    )
    for line in (*month_lines(manifest), *_unreadable(manifest)):
        echo(line.removeprefix("Error: "))
    corpus = manifest["corpus"]
    sentences = sum(corpus["splits"].values()) if corpus else 0
    labelled = (corpus or {}).get("labelled")
    if not (labelled and not sentences):
        echo(f"Corpus: {counted(sentences, 'sentence') if corpus else 'not built yet'}.")
    if labelled:
        echo(
            f"Labels by {labelled['by']}: {counted(labelled['sentences'], 'sentence')}, "
            f"{labelled['positives']:,} with a label."
        )


def _show_tables(folder: Path, manifest: dict[str, Any]) -> None:
    counts = manifest["counts"]
    read = (
        counted(len(manifest["inputs"]), "part"),
        counted(counts["pages"], "page"),
        counted(counts["revisions"], "revision"),
    )
    echo(f"{', '.join(read)}: {', '.join(_found(manifest))}.")
    for line in repeat_lines(manifest):
        echo(line)
    if counts["unknown_texts"]:
        lost = counted(counts["unknown_texts"], "revision")
        echo(f"{lost} without text (suppressed or lost).")
    stubs = [entry for entry in manifest["inputs"] if entry.get("is_stub")]
    if stubs:
        echo(f"{counted(len(stubs), 'stub dump')}, without texts.")
    if manifest["verdicts"]:
        _print(_verdicts(manifest["verdicts"], manifest["settings"]["detect"]))
    corpus = manifest["corpus"]
    if corpus:
        _show_corpus(corpus, signals(manifest["settings"]["detect"]))
    failed = any(entry["error"] for entry in manifest["inputs"])
    if "tag" in signals(manifest["settings"]["detect"]) and not (counts["removed"] or failed):
        echo("No tag of the tag set was removed in this dump, so there is nothing to compare.")
    echo(f"Result: {folder}")
    if lacks_texts(manifest):
        echo(f"Next: {shlex.join(['wikibias', 'fetch', '--revisions', str(folder)])}")
    elif counts.get("summary_edits") and not corpus:
        echo(f"Next: {pairs_command(folder)}")
    for command in commands_of_corpus(folder, corpus):
        echo(f"Next: {command}")


def _show_corpus(corpus: dict[str, Any], found_by: Sequence[str]) -> None:
    # Of a folder of intents alone there is no corpus of two classes.
    if "tag" in found_by or "summary" in found_by:
        _print(_composition(corpus))
        if any(number for labels in corpus.get("tiers", {}).values() for number in labels.values()):
            echo(f"Tiers, biased and neutral: {_tiers(corpus['tiers'])}")
    labelled = corpus.get("labelled")
    for note in corpus["notes"]:
        echo(f"Note: {note}.")
    if labelled:
        _print(_labelled(labelled))
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
    if corpus and corpus.get("labelled"):
        words = ["wikibias", "classify", "--task", "labels", "--model", "nb-lr", str(folder)]
        found.append(shlex.join(words))
    if corpus and (found or any(corpus["splits"].values())):
        found.append(shlex.join(["wikibias", "report", str(folder)]))
    return found


def pairs_command(folder: Path) -> str:
    """Return the command that makes sentence pairs of a result folder."""
    out = Path("pairs", folder.resolve().name)
    return shlex.join(["wikibias", "pairs", str(folder), "--rules", "own", "--out", str(out)])


def _found(manifest: Mapping[str, Any]) -> Iterator[str]:
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


def _print(table: Table) -> None:
    from wikibias.kits.console import Console

    Console(soft_wrap=True).print(table)


def _verdicts(verdicts: dict[str, int], detect: Mapping[str, Any]) -> Table:
    from rich.table import Table

    from wikibias.edits.filters import SUMMARY_TITLES, UNKNOWN_TEXT, filter_title

    table = Table("Revision pairs", title="Table 2. What the filters dropped", title_justify="left")
    table.add_column("", justify="right")
    usual = signals(detect) == ["tag"] and list(detect["pairing"]) == ["removal-edit"]
    by_summary = signals(detect) == ["summary"]
    pairs = "tag removals" if usual else "summary edits" if by_summary else "all pairs"
    table.add_row(pairs, f"{sum(verdicts.values()):,}")
    # What goes for edits of several kinds is said of edits, not of the removal of a tag.
    several = (UNKNOWN_TEXT,) if signals(detect) == ["tag"] else (UNKNOWN_TEXT, "reverted")
    told = {name: SUMMARY_TITLES[name] for name in several}
    if "tag" not in signals(detect):
        told = SUMMARY_TITLES
    # Of an edit without texts no filter is asked.
    for reason, count in sorted(verdicts.items(), key=lambda entry: entry[0] != UNKNOWN_TEXT):
        if reason != KEPT:
            title = told.get(reason) or filter_title(reason)
            table.add_row(title, f"-{count:,}" if count else "0")
    table.add_section()
    table.add_row("kept", f"{verdicts.get(KEPT, 0):,}")
    return table


def _composition(corpus: dict[str, Any]) -> Table:
    from rich.table import Table

    table = Table("Sentences", "Label", title="Table 3. The corpus", title_justify="left")
    table.add_column("", justify="right")
    roles = ["removed", "added", "unchanged"]
    roles += ["featured"] if corpus.get("featured") else []
    for role in roles:
        table.add_row(role, "biased" if role == "removed" else "neutral", f"{corpus[role]:,}")
    table.add_section()
    table.add_row("total", "", f"{sum(corpus[role] for role in roles):,}")
    splits = ", ".join(f"{name} {count:,}" for name, count in corpus["splits"].items())
    table.caption, table.caption_justify = splits, "left"
    return table


def _labelled(labelled: dict[str, Any]) -> Table:
    from rich.table import Table

    table = Table("Label", title="Sentences with labels", title_justify="left")
    splits, kinds = [*labelled["splits"]], [*labelled["kinds"]]
    for column in (*splits, *(f"not, {kind}" for kind in kinds)):
        table.add_column(column, justify="right")
    for label, of_splits in labelled["labels"].items():
        against = labelled["negatives"].get(label, {})
        numbers = [of_splits.get(split, 0) for split in splits]
        numbers += [against.get(kind, 0) for kind in kinds]
        table.add_row(printable(label), *(f"{number:,}" for number in numbers))
    table.caption = f"{labelled['sentences']:,} sentences, {labelled['positives']:,} with a label"
    table.caption_justify = "left"
    return table


def _tiers(tiers: Mapping[str, Mapping[str, int]]) -> str:
    shares = (f"{name} {of['biased']:,} and {of['neutral']:,}" for name, of in tiers.items())
    return "; ".join(shares)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Show a table with numbers aligned to the right; a line break in a cell is shown escaped."""
    from rich.table import Table

    from wikibias.kits.console import Console

    table = Table(title=title, title_justify="left")
    lines = [list(row) for row in rows]
    for place, column in enumerate(columns):
        numbers = any(isinstance(line[place], (int, float)) for line in lines)
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for line in lines:
        table.add_row(*(_shown(value) for value in line))
    Console().print(table)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return "" if value is None else printable(str(value))
