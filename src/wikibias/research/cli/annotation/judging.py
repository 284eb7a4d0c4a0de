"""`wikibias annotate agree`, `vote`, `score` and `choose`: how far annotators can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from wikibias.errors import UsageError, counted, nearest
from wikibias.kits import MOST_SEED, RESAMPLES
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, MADE_BY, OUT_FILE, check_out, takes, warn
from wikibias.kits.document import number, p_value, with_interval
from wikibias.kits.files import to_json, write_json
from wikibias.kits.tables import check_ending, write_rows
from wikibias.kits.terminal import echo, echo_data, show_table

if TYPE_CHECKING:
    import pandas as pd

    from wikibias.research.annotation.answers import Answers, WithGold
    from wikibias.research.annotation.votes import Vote

Seed = Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed", doc="Of the draws.")]
Overwrite = Annotated[bool, Setting("--overwrite", doc="Replace a file that is there.")]
Meanings = Annotated[
    str | None,
    Setting(
        "--label-names",
        metavar="A=biased,B=neutral",
        doc="What other labels mean than 1, 0, biased, neutral, yes, no, true and false.",
    ),
]
_Resamples = Annotated[
    int,
    Meta(ge=1, le=1_000_000),
    Setting("--resamples", doc="Bootstrap resamples for the confidence intervals."),
]
_MOST_SENTENCES = 5
_LONGEST = 90  # characters of a sentence
_ADDED = ("vote", "share", "votes")
_SHOWN = 15
_SAID = 5
_WARNED = 3
_MOST = 10_000
_TITLES = {"by_setting": "best of the best setting", "best_single": "one annotator"}


@dataclass(frozen=True, kw_only=True)
class _Read:
    """Tables of answers, and which of their columns are meant.

    Attributes:
        columns: Columns of a wide table that are annotators: names, or patterns such as '*@*'.
        label: Long table: column of the answer, which is the question.
        tasks: The task file; only its sample counts, not what is shown again or unchanged.
    """

    files: Annotated[
        tuple[Path, ...],
        click.Path(path_type=Path, exists=True),
        Setting(ARGUMENT, metavar="FILE..."),
    ]
    columns: Annotated[str | None, Setting("--annotator-columns", metavar="A,B,C")] = None
    label: Annotated[str | None, Setting("--label", metavar="COLUMN")] = None
    tasks: Annotated[Path | None, FILE, Setting("--tasks")] = None

    def warn_without_tasks(self) -> None:
        """Warn that answers of the labelling page count alike, where their tasks are not given."""
        from wikibias.research.annotation.answer_store import ENDING

        if self.tasks is None and any(file.suffix == ENDING for file in self.files):
            warn("unchanged sentences and those shown again count, too; give the --tasks served")


@dataclass(frozen=True, kw_only=True)
class _Judged(_Read):
    """Answers with gold labels, and how intervals are drawn.

    Attributes:
        gold: Column of the gold labels; in long tables, the annotator whose answers are gold; of
            result folders, the file of labels.
        out: JSON file for all of it.
    """

    gold: Annotated[str | None, Setting("--gold", metavar="NAME")] = None
    labels: Meanings = None
    resamples: _Resamples = RESAMPLES
    out: Annotated[Path | None, OUT_FILE, Setting("-o --out")] = None

    def read(self) -> WithGold:
        """Return the gold labels and the answers.

        Raises:
            WikibiasError: see `answers.read_with_gold`.
        """
        from wikibias.research.annotation.answers import meanings, read_with_gold
        from wikibias.research.annotation.tasks import read_tasks

        if self.gold is None:
            raise UsageError("--gold: name the column, or the annotator, of the gold labels")
        check_out(self.out, self.files, overwrite=False)
        self.warn_without_tasks()
        labels, tasks = meanings(self.labels), read_tasks(self.tasks) if self.tasks else ()
        return read_with_gold(self.files, self.gold, self.columns, labels, self.label, tasks)


def _write(out: Path | None, command: str, facts: Mapping[str, Any]) -> None:
    """Write the JSON file, if one is wanted."""
    if out is not None:
        write_json(out, {MADE_BY: f"wikibias annotate {command}", **facts})
        echo(f"Written to {out}")


@dataclass(frozen=True, kw_only=True)
class _Agree(_Read):
    """The options of the command.

    Attributes:
        out: Also write everything to this JSON.
    """

    resamples: _Resamples = RESAMPLES
    out: Annotated[Path | None, OUT_FILE, Setting("-o --out")] = None


@click.command(name="agree", short_help="Measure how far annotators agree.")
@takes(_Agree)
def agree_command(options: _Agree) -> None:
    """Measure how far annotators agree, people or models: Krippendorff, Fleiss, Cohen, percentage.

    A FILE has a row for each sentence and annotator; or with --annotator-columns a column for each
    annotator. A sentence that somebody did not judge is a gap, and so is an answer "?". Each figure
    has a 95 % interval by a bootstrap over the sentences; what is undefined is null, and a note
    says why.

    With --tasks only the sample counts: sentences shown again tell how far each annotator says the
    same twice, and unchanged ones who ticks everything. Answers with spans are compared by words.
    What `annotate serve --adjudicate` decided, by `gold`, counts as no annotator's.

    \b
    Examples:
      wikibias annotate agree answers.jsonl --tasks tasks.jsonl --out agreement.json
      wikibias annotate agree ann.csv bob.csv --label bias
      wikibias annotate agree models.csv --annotator-columns gpt,llama,human
    """
    from wikibias.kits.console import show
    from wikibias.research.annotation.agreement import agreement, read_compared
    from wikibias.research.reports.agreement import agreement_tables, answers_in_words, notes

    files = options.files
    check_out(options.out, files, overwrite=False)
    options.warn_without_tasks()
    given = read_compared(files, columns=options.columns, label=options.label, tasks=options.tasks)
    found = agreement(given, resamples=options.resamples, warn=warn)
    show(*agreement_tables(", ".join(file.name for file in files), found))
    for sentence in found["disagreed"][:_MOST_SENTENCES]:
        text = sentence.get("text", "")
        cut = f": {text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}" if text else ""
        echo(f"{sentence['item']}: {answers_in_words(sentence)}{cut}")
    if more := len(found["disagreed"][_MOST_SENTENCES:]):
        echo(f"And {counted(more, 'more sentence')}; --out writes them.")
    if name := found["apart"]["annotator"]:
        echo(f"{name} stands apart: the others agree more among themselves.")
    for line in notes(found):
        echo(line)
    _write(options.out, "agree", found)


@dataclass(frozen=True, kw_only=True)
class _VoteOptions(_Read):
    """The options of the command.

    Attributes:
        ties: What a tie becomes: '?', drop, biased, neutral, or a label.
        out: Table to write: .jsonl, .csv or .tsv.
    """

    ties: Annotated[str, Setting("--ties", metavar="RULE")] = "?"
    out: Annotated[Path | None, OUT_FILE, Setting("-o --out", unset="JSON Lines, printed")] = None
    overwrite: Overwrite = False


@click.command(name="vote")
@takes(_VoteOptions)
def vote_command(options: _VoteOptions) -> None:
    """Let annotators vote: one label for each sentence.

    FILE is a wide table with a column an annotator (--annotator-columns), or one or several long
    ones with a row for each sentence and annotator. A "?" does not vote. Kept are the columns of a
    wide table, of long ones item and text, or those of --tasks. Added are vote, share (of the
    votes) and votes (their number). Where nobody voted is a tie too.

    \b
    Example:
      wikibias annotate vote answers.jsonl --tasks tasks.jsonl --out voted.jsonl
      wikibias annotate vote runs.csv --annotator-columns zephyr,openchat,llama --out voted.csv
    """
    from wikibias.research.annotation.votes import majority, nothing_in_common, tie_rule

    if options.out is not None:
        check_ending(options.out)
        read = [*options.files, *filter(None, [options.tasks])]
        check_out(options.out, read, overwrite=options.overwrite)
    options.warn_without_tasks()
    answers, rows, cells = _read_votes(options)
    ties = tie_rule(options.ties, answers.labels)
    if apart := nothing_in_common(answers):
        warn(f"{apart}; a vote counts labels as they are written")
    votes = majority(answers, ties)
    written = [
        row | {"vote": cells.get(vote.label, vote.label), "share": vote.share, "votes": vote.votes}
        for row, vote in zip(rows, votes, strict=True)
        if vote.label is not None
    ]
    if not written:
        raise UsageError("--ties drop: no sentence is left; choose another rule")
    if options.out is None:
        echo_data(*(to_json(row) for row in written))
    else:
        write_rows(options.out, written)
    where = "Printed" if options.out is None else f"Wrote {options.out}:"
    _echo_votes(where, answers, votes, len(written), options)


def _read_votes(
    options: _VoteOptions,
) -> tuple[Answers, list[dict[str, Any]], dict[str | None, Any]]:
    """Return the answers, the row that each sentence gets, and the cells that labels stand in."""
    from wikibias.research.annotation.answers import cell_label, item_texts, table_answers
    from wikibias.research.annotation.tasks import chosen_columns, column, plain_rows, read_table

    tables = [read_table(path) for path in options.files]
    answers = table_answers(tables, options.columns, options.label)
    if options.columns is None:
        if options.tasks is None:
            texts = item_texts(tables)
            rows = [{"item": name, "text": texts.get(name)} for name in answers.items]
            return answers, rows if texts else [{"item": name} for name in answers.items], {}
        return *_of_sample(answers, options.tasks), {}
    _check_free(tables[0])
    cells: dict[str | None, Any] = {}
    for name in chosen_columns(tables[0], options.columns):
        for cell in column(tables[0], name):
            cells.setdefault(cell_label(cell), cell)
    return answers, plain_rows(tables[0]), cells


def _of_sample(answers: Answers, path: Path) -> tuple[Answers, list[dict[str, Any]]]:
    """Return the answers to the sample of a task file, and the row that it has of each."""
    from wikibias.research.annotation.answers import of_kind
    from wikibias.research.annotation.tasks import plain_rows, read_table, read_tasks

    table, asked = read_table(path), read_tasks(path)
    _check_free(table)
    rows = dict(zip((task.item for task in asked), plain_rows(table), strict=True))
    if lacking := [name for name in answers.items if name not in rows]:
        raise UsageError(f"{path} has no item {lacking[0][:40]!r}; give the file that was judged")
    sample = of_kind(answers, asked)
    return sample, [{"item": name, **rows[name]} for name in sample.items]


def _check_free(table: pd.DataFrame) -> None:
    if taken := [name for name in _ADDED if name in table.columns]:
        raise UsageError(f"{table.attrs['path']} has a column {taken[0]!r} already; rename it")


def _echo_votes(
    where: str, answers: Answers, votes: Sequence[Vote], written: int, options: _VoteOptions
) -> None:
    say = partial(echo, err=options.out is None)  # standard output holds the rows
    say(f"{where} {counted(written, 'sentence')} of {len(votes):,}.")
    if several := sum(vote.votes > 1 for vote in votes):
        alike = sum(vote.votes > 1 and vote.share == 1 for vote in votes)
        say(
            f"All votes agree on {alike:,} of {counted(several, 'sentence')} with two votes or "
            f"more ({alike / several:.1%})."
        )
    else:
        warn("no sentence has two votes; there is nothing to vote on")
    ties, none = sum(vote.tie for vote in votes), sum(not vote.votes for vote in votes)
    among = f" ({none:,} of them without a vote)" if none else ""
    become = {"?": "left as '?'", "drop": "left out"}.get(
        options.ties, f"given to {options.ties} where it is among them"
    )
    say(f"{counted(ties, 'tie')}{among}, {become}." if ties else "No ties.")
    if unparsed := sum(answers.unparsed.values()):
        say(f"{counted(unparsed, 'answer')} '?' did not vote.")


@dataclass(frozen=True, kw_only=True)
class _ScoreOptions(_Judged):
    """The options of the command.

    Attributes:
        against: Compare all with this one, not each two.
    """

    against: Annotated[str | None, Setting("--against", metavar="NAME")] = None


@click.command(name="score")
@takes(_ScoreOptions)
def score_command(options: _ScoreOptions) -> None:
    """Score annotators against gold labels, and compare each two.

    FILE is a wide table with a column an annotator, or one or several long ones with a row for each
    sentence and annotator. Scores are of the biased class, over what an annotator answered; a "?"
    is counted, lowers the coverage, and is a wrong answer in mcc_unparsed_as_wrong only.

    Two annotators are compared by McNemar's test on the sentences that both answered, which tells
    who is right more often; where the MCC says otherwise, a warning does, too. p is corrected for
    the number of comparisons (Holm).

    Where FILES are result folders of `wikibias detect --signal citation ...`, the rules of intents
    are scored: --gold is a table of rev_id, annotator and labels (several with commas, or none; of
    several wikis also wiki). An edit has an intent if one annotator says so, and again if the
    majority does. One that the rules did not find counts as such: label edits of this dump only.

    \b
    Examples:
      wikibias annotate score runs.csv --gold label --annotator-columns '*@*' --out scores.json
      wikibias annotate score a.csv b.csv --gold gold --label-names lex=biased,neu=neutral
      wikibias annotate score corpora/en --gold labels.tsv --out scores.json
    """
    from wikibias.research.annotation.scores import compare_all, score

    if options.files[0].is_dir():
        _write(options.out, "score", _intent_scores(options))
        return
    judged, against = options.read(), options.against
    if against is not None and against not in judged.said:
        raise UsageError(f"--against: no annotator {against!r}{nearest(against, judged.said)}")
    if against is None and comb(len(judged.said), 2) > _MOST:
        raise UsageError(
            f"{len(judged.said):,} annotators make more than {_MOST:,} comparisons; compare with "
            "one (--against), or choose fewer (--annotator-columns)"
        )
    resamples, gold = options.resamples, judged.gold
    columns = {name: score(gold, said, resamples=resamples) for name, said in judged.said.items()}
    compared = compare_all(gold, judged.said, against=against, resamples=resamples)
    found = {
        "gold": options.gold,
        "rows": len(gold),
        "biased": int(gold.sum()),
        "without_gold": judged.without_gold,
        "resamples": resamples,
        "seed": 0,
        "columns": columns,
        "comparisons": compared,
    }
    _show_scores(found)
    _show_comparisons(compared, options.out)
    _write(options.out, "score", found)


def _intent_scores(options: _ScoreOptions) -> dict[str, Any]:
    """Return and show the scores of the rules of intents in result folders, by language."""
    from wikibias.research.annotation.scores import score_intents

    given = options.gold or options.labels
    if given is None:
        raise UsageError("--gold: give the file of labels; columns rev_id, annotator, labels")
    check_out(options.out, overwrite=False)
    table = score_intents(options.files, Path(given), warn=warn, resamples=options.resamples)
    for lang, of_lang in table.items():
        rows = [
            [
                *(name, truth, f"{scores[truth]['positive']:,}", f"{scores['by_rule']:,}"),
                *(with_interval(scores[truth][each]) for each in ("precision", "recall")),
                number(scores["krippendorff"]["value"]),
            ]
            for name, scores in of_lang.items()
            for truth in ("any", "majority")
        ]
        edits = max((scores["edits"] for scores in of_lang.values()), default=0)
        header = ["intent", "who says so", "edits", "by rule", "P [95 %]", "R [95 %]", "alpha"]
        show_table(f"{lang}: {counted(edits, 'labelled edit')}", header, rows, left=2)
    return {"languages": table}


def _show_scores(found: Mapping[str, Any]) -> None:
    from wikibias.research.annotation.scores import METRICS, ranked

    if found["without_gold"]:
        warn(f"left out {counted(found['without_gold'], 'sentence')} without a gold label")
    columns = found["columns"]
    header = ["", "MCC [95 %]", "P", "R", "F1", "accuracy", "coverage", "?", "MCC, ? wrong"]
    rows = [
        [
            name,
            with_interval(columns[name]["mcc"]),
            *(number(columns[name][one]["value"]) for one in METRICS[1:]),
            number(columns[name]["coverage"]),
            f"{columns[name]['unparsed']:,}",
            number(columns[name]["mcc_unparsed_as_wrong"]["value"]),
        ]
        for name in ranked(columns)
    ]
    sentences = f"{counted(found['rows'], 'sentence')}, {found['biased']:,} biased"
    show_table(f"Against {found['gold']} ({sentences})", header, rows)
    for name, entry in columns.items():
        for note in entry["notes"]:
            warn(f"{name}: {note}")


def _show_comparisons(compared: Sequence[Mapping[str, Any]], out: Path | None) -> None:
    if not compared:
        return
    if len(compared) <= _SHOWN:
        show_table(
            "Who is right more often (b: the first alone, c: the second alone)",
            ["", "more often", "b", "c", "p (Holm)", "accuracy [95 %]", "MCC [95 %]"],
            [_row(entry) for entry in compared],
            left=2,
        )
        for entry in compared if len(compared) <= _SAID else ():
            echo(f"{entry['first']} and {entry['second']}: {entry['direction']}.")
    else:
        where = "" if out else "; --out writes them"
        echo(f"{counted(len(compared), 'comparison')}{where}; --against NAME shows those with one.")
    differing = [entry for entry in compared if entry["warning"]]
    for entry in sorted(differing, key=lambda entry: entry["p_exact"])[:_WARNED]:
        warn(entry["warning"])
    if (rest := len(differing) - _WARNED) > 0:
        warn(f"so do {counted(rest, 'more comparison')}, less sure ones")


def _row(entry: Mapping[str, Any]) -> list[str]:
    return [
        f"{entry['first']} – {entry['second']}",
        entry["right_more_often"] or "–",
        f"{entry['b']:,}",
        f"{entry['c']:,}",
        "–" if entry["p_holm"] is None else p_value(entry["p_holm"]),
        *(with_interval(entry[key]) for key in ("accuracy_difference", "mcc_difference")),
    ]


@dataclass(frozen=True, kw_only=True)
class _ChooseOptions(_Judged):
    """The options of the command.

    Attributes:
        size: Of how many.
    """

    size: Annotated[int, Meta(ge=1, le=25), Setting("-k")] = 3


@click.command(name="choose", short_help="Choose the annotators whose majority vote is best.")
@takes(_ChooseOptions)
def choose_command(options: _ChooseOptions) -> None:
    """Choose the annotators whose majority vote is best, and say how good it is.

    Greedily: the best one, then the two that make the vote best, and so on. Beside it stand
    the best annotator alone, and of columns named MODEL@SETTING the best models of the best
    setting, as Horych et al. (2025) chose. The MCC of each way is of sentences that were not used
    to choose. A tie counts as right half the time.

    \b
    Example:
      wikibias annotate choose runs.csv --gold label --annotator-columns '*@*' -k 3 --out panel.json
    """
    from wikibias.research.annotation.scores import FOLDS, bench, choose

    judged, size = options.read(), options.size
    among = bench(judged.gold, judged.said)
    if size > len(among.names):
        raise UsageError(
            f"-k {size} of {counted(len(among.names), 'annotator')}; give a smaller -k, or more of "
            "them with --annotator-columns"
        )
    rarer = int(min(judged.gold.sum(), (~judged.gold).sum()))
    if rarer < FOLDS:
        raise UsageError(
            f"of one label there are only {counted(rarer, 'sentence')}; each of {FOLDS} parts "
            "needs one"
        )
    found = choose(among, size, resamples=options.resamples)
    _show_panels(found)
    if size % 2 == 0:
        warn(f"a panel of {size} can tie; take an odd number")
    facts = {
        "gold": options.gold,
        "rows": len(judged.gold),
        "annotators": len(among.names),
        "k": size,
        "folds": FOLDS,
        "resamples": options.resamples,
        "seed": 0,
        "chosen": found["greedy"]["panel"],
        "methods": found,
    }
    _write(options.out, "choose", facts)


def _show_panels(found: Mapping[str, Any]) -> None:
    show_table(
        "Ways to choose; MCC on sentences not used to choose",
        ["", "panel", "MCC [95 %]", "where chosen", "undecided"],
        [
            [
                _TITLES.get(name, name),
                ", ".join(entry["panel"]),
                with_interval(entry["mcc"]),
                number(entry["mcc_where_chosen"]),
                f"{entry['undecided']:.1%}",
            ]
            for name, entry in found.items()
        ],
        left=2,
    )
    if len(found["greedy"]["panel"]) < 2:
        return
    ours, alone = found["greedy"]["mcc"]["value"], found["best_single"]["mcc"]["value"]
    if ours is not None and alone is not None and alone >= ours:
        warn(
            f"one annotator alone does no worse than the panel ({number(alone)} against "
            f"{number(ours)}); a vote brings nothing here"
        )
