"""`wikibias audit`: what scores owe to something else than bias, and how close topics are to words.

The scores are those of a corpus or a classifier; the words are those that a corpus was searched
with.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.cli import Subcommands
from wikibias.errors import UsageError, counted, nearest, printable, quoted
from wikibias.kits import MOST_SEED, command
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.document import Table, number, with_interval
from wikibias.kits.files import distinct_names, write_json
from wikibias.kits.folders import ResultFolder
from wikibias.kits.terminal import echo
from wikibias.models.estimators.registry import GROUPINGS, OWN

if TYPE_CHECKING:
    from wikibias.models.examples import Splits
    from wikibias.research.selection_bias.measure import Make
    from wikibias.research.stress import Answer, Answers, Case


@click.group(cls=Subcommands)
def audit() -> None:
    """Find out what a corpus or a classifier owes to something else than bias.

    \b
    Examples:
      wikibias audit leakage corpora/en
      wikibias audit stress corpora/en/models/sgd
      wikibias audit topics corpora/en --keywords words.txt
      wikibias audit transfer en=corpora/en wnc=wnc.tsv --balance
    """


@audit.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--label-names",
    "labels",
    metavar="A=biased,B=neutral",
    help="Names of the labels in the files.",
)
@click.option("-o", "--out", type=command.OUT_FILE, help="Also write the full result as JSON.")
def leakage(files: tuple[Path, ...], *, labels: str | None, out: Path | None) -> None:
    """Find leakage between splits: duplicates, near-duplicates, and how far they predict labels.

    FILES is a corpus directory, by default the newest one in ./corpora, or what `wikibias export`
    made of it, or two or three files: train, then dev, then test. Files hold label<TAB>sentence
    lines or those of fastText, or are CSV, JSON Lines or Parquet with columns label and text; one
    may hold all splits. Of sentences with several labels, such as RESULT/labelled, those with any
    label are told from those without.

    Baselines that only look up the labels of similar training sentences show what a model must
    beat, on a clean split too. Of more than 50,000 sentences, near-duplicates are found by MinHash.

    \b
    Examples:
      wikibias audit leakage corpora/fr
      wikibias audit leakage train.txt dev.txt test.txt --label-names rem=biased,add=neutral
    """
    from wikibias.kits.console import show
    from wikibias.research import audits

    found = audits.audit(_splits(files, labels))
    show(*_tables(found))
    for line in found["warnings"]:
        command.warn(line)
    echo(_verdict(found))
    if out:
        write_json(out, found)


def _splits(files: tuple[Path, ...], labels: str | None) -> Splits:
    from wikibias.models import reading

    table = reading.parse_labels(labels)
    if not files:
        files = (command.corpus_or_newest(None, instead=", or give files"),)
    if len(files) == 1 and reading.holds_labelled(files[0]):
        return reading.read_result(files[0], command.warn)
    if len(files) == 1 and files[0].is_dir():
        return reading.read_corpus(files[0], command.warn, table)
    folders = [path for path in files if path.is_dir()]
    if folders or not 1 <= len(files) <= 3:
        raise UsageError("give one corpus directory, or one to three files: train, dev, test")
    names = {1: ("train",), 2: ("train", "test"), 3: ("train", "dev", "test")}[len(files)]
    return reading.read_files(dict(zip(names, files, strict=True)), table, command.warn)


def _tables(found: Mapping[str, Any]) -> Iterator[Table]:
    again = found["duplicates"]
    names = {
        "occur more than once": "texts",
        "  with both labels": "with_both_labels",
        "  within a split": "within_a_split",
        "  across splits": "across_splits",
    }
    counts = [[title, f"{again[name]:,}"] for title, name in names.items()]
    yield Table(["", "texts"], counts, title="Exact duplicates")
    if found["method"] == "minhash":
        share = f"{found['threshold']:.0%} of runs of five characters shared"
        method = f"groups by MinHash, about {share}; pairs of a group"
    else:
        method = f"cosine of {found['ngrams']} n-grams at least {found['threshold']:g}"
    pairs = [
        [" + ".join(dict.fromkeys(r["splits"])), f"{r['pairs']:,}", _percent(r["same_label"])]
        for r in found["near_duplicates"]
    ]
    title = f"Near-duplicates ({method})"
    yield Table(["splits", "pairs", "same label"], pairs, title=title)
    for name, part in found.get("neighbours", {}).items():
        title = f"{_percent(part['share'])} of {name} has a near-duplicate in train"
        if part["labels_agree"] is not None:
            title += f"; the labels agree for {_percent(part['labels_agree'])} of them"
        rows = [
            [b["how"], f"{b['sentences']:,}", with_interval(b["mcc"]), number(b["f1"]["value"])]
            for b in part["cheats"]
        ]
        header = ["baseline that only looks up labels", "sentences", "MCC [95 %]", "F1"]
        yield Table(header, rows, title=title)


def _verdict(found: Mapping[str, Any]) -> str:
    """Say in a sentence whether the split leaks, and what to do; no verdict on too few."""
    parts = found.get("neighbours", {})
    if not parts:
        return "There is only one split, so nothing can leak; give train and test."
    worst = max(parts, key=lambda name: parts[name]["share"])
    share = parts[worst]["share"]
    # A small share must not be shown as 0.0%.
    known = f"{_percent(max(share, 0.001))} of {worst} has a near-duplicate in train"
    if found["leaks"]:
        return (
            f"The split leaks: {known}. Do not trust its scores; use "
            "`wikibias classify --cv near-duplicate`."
        )
    none = f"no sentence of {' or '.join(parts)} has a near-duplicate in train"
    if found["too_few"]:
        among = counted(parts[worst]["sentences"], "sentence")
        has = f"{parts[worst]['with_neighbour']:,} of {among} of {worst}"
        seen = f"{has} have a near-duplicate in train" if share else none
        few = f"too few in {' and '.join(found['too_few'])}"
        return f"No verdict, {few}, for the scores above too: {seen}."
    clean = f"no more than {known}" if share else none
    reached = [b["mcc"]["value"] or 0.0 for part in parts.values() for b in part["cheats"]]
    return (
        f"The split is clean: {clean}. Its scores do not come from near-duplicates, but looking up "
        f"labels reaches an MCC of {max(reached, default=0.0):.2f}, which a model must beat."
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


DEFAULT_LANGUAGE = "en"
_STRESS = ResultFolder("stress", 1, "wikibias audit stress")
# Each two are compared.
_MOST_MODELS = 50
_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class StressOptions:
    """The options of `wikibias audit stress`.

    Attributes:
        language: Language of the tests: en, fr, bg, or one of your own.
        tests: Only this test, or the tests of this TOML file; may be given again.
        cases: Cases of each test; fewer where its words give no more.
        seed: Seed of the cases and the intervals.
        only: Count only cases whose template, or original, is neutral; or that differ from their
            original; several with commas.
        write: Write the sentences, for another program to predict.
        sentences: The file of --write, for predictions that only name its items.
        out: Write the figures, all answers and a page here.
    """

    sources: Annotated[
        tuple[Path, ...], _PATH, Setting(command.ARGUMENT, metavar="[MODEL]...")
    ] = ()
    language: Annotated[str | None, Setting("--language --lang", "that of the models", "CODE")] = (
        None
    )
    tests: Annotated[tuple[str, ...], Setting("--tests", metavar="NAME|FILE")] = ()
    cases: Annotated[int, Meta(ge=1, le=1_000_000), Setting("--cases -n")] = 500
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    only: Annotated[tuple[Literal["neutral-templates", "changed"], ...], Setting("--only")] = ()
    write: Annotated[Path | None, command.OUT_FILE, Setting("--write", metavar="FILE")] = None
    sentences: Annotated[Path | None, command.FILE, Setting("--written")] = None
    out: Annotated[Path | None, command.OUT_FOLDER, Setting("-o --out", metavar="FOLDER")] = None

    @property
    def names(self) -> list[str]:
        """The names of tests; none for all."""
        return [name for name in self.tests if not name.endswith(".toml")]

    @property
    def folders(self) -> list[Path]:
        """The models to ask; the other sources are files of predictions."""
        return [path for path in self.sources if path.is_dir()]


@audit.command()
@command.takes(StressOptions)
def stress(given: StressOptions) -> None:
    """Stress a classifier: does it judge words, or who and what a sentence is about?

    MODEL is a folder that `wikibias classify` made, or a file of predictions (.parquet, .jsonl,
    .csv). Several are compared. The tests are those of CheckList:

    \b
    MFT  factual sentences stay neutral
    INV  another place, person or group changes nothing
    DIR  loaded words put into a neutral sentence make it biased

    \b
    Examples:
      wikibias audit stress corpora/en/models/sgd
      wikibias audit stress models/a models/b --tests loaded --out stress
      wikibias audit stress --language fr --write sentences.jsonl
      wikibias audit stress predictions.jsonl --only changed
    """
    if given.write is not None:
        _write_sentences(given.write, given)
        return
    if not given.sources:
        raise UsageError("name the folder of a model or a file of predictions, or give --write")
    if given.out is not None:
        _STRESS.refuse(given.out, overwrite=True)
    from wikibias.kits.console import show
    from wikibias.research.reports.audits import stress_page, stress_summary
    from wikibias.research.stress import answered_rows, notes, only, score

    language = given.language or (_language_of(given.folders) if given.folders else "")
    found = {
        name: left
        for name, answers in answers_of(given, language).items()
        if (left := only(answers, given.only, given.names))
    }
    if not found:
        raise UsageError("no case is left; choose other --tests, or leave an --only out")
    result: dict[str, Any] = {
        "language": language or None,
        "cases": given.cases if language else None,
        "seed": given.seed,
        "only": list(given.only),
        **score(found, seed=given.seed),
    }
    result["notes"] = notes(result)
    show(*stress_summary(result))
    for line in result["notes"]:
        command.warn(line)
    if given.out is not None:
        tables = {"answers.jsonl": answered_rows(found)}
        for path in _STRESS.write_report(given.out, result, stress_page(result, found), tables):
            echo(f"Wrote {path}.")


def cases_of(given: StressOptions, language: str) -> list[Case]:
    """Return the cases that a command line asks for.

    Raises:
        UsageError: there are no such tests, or their file is broken.
    """
    from wikibias.config.stress_tests import load_stress_tests, read_stress_tests
    from wikibias.research.stress import draw

    files = [Path(name) for name in given.tests if name.endswith(".toml")]
    if len(files) > 1:
        raise UsageError("--tests: give one file, and names of tests in it")
    tests = read_stress_tests(files[0]) if files else load_stress_tests(language)
    _check_tests(given.names, [test.name for test in tests.test])
    return draw(tests, given.names, count=given.cases, seed=given.seed)


def answers_of(given: StressOptions, language: str) -> Answers:
    """Return the answers of each model: of a folder to cases, and those that a file holds.

    Raises:
        UsageError: there is none of a name, or two say the same.
        WikibiasError: a model or a file cannot be read.
    """
    from wikibias.research import stress

    cases = cases_of(given, language) if given.folders else []
    found: dict[str, list[Answer]] = {}
    called = [path.stem if path.is_file() else path.resolve().name for path in given.sources]
    names = distinct_names(given.sources, called)
    for path, own in zip(given.sources, names, strict=True):
        if path in given.folders:
            told: Answers = {own: stress.answer(path, cases)}
        elif path.is_file():
            told = stress.read_answers(path, given.sentences, own)
        else:
            raise UsageError(f"{path}: neither the folder of a model nor a file of predictions")
        for name, more in told.items():
            known = {each.case.test for each in found.get(name, ())}
            if twice := known & {each.case.test for each in more}:
                raise UsageError(
                    f"{path}: {name!r} has answered {min(twice)!r} in another, too; leave one out"
                )
            found.setdefault(name, []).extend(more)
        if len(found) > _MOST_MODELS:
            raise UsageError(
                f"{path}: more than {_MOST_MODELS} models; what is in its column model?"
            )
    _check_tests(given.names, {each.case.test for own in found.values() for each in own})
    return found


def _check_tests(names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"--tests: no test {name!r}{nearest(name, known)}")


def _language_of(folders: Sequence[Path]) -> str:
    """Return the language that models were trained on, if it has tests; else English."""
    from wikibias.config.stress_tests import stress_languages
    from wikibias.models.estimators.registry import MODEL

    told = {str(lang) for folder in folders if (lang := MODEL.describe(folder).get("lang"))}
    found = sorted(told & set(stress_languages()))
    if len(found) > 1:
        raise UsageError(f"these models are of {' and '.join(found)}; choose with --language")
    return found[0] if found else DEFAULT_LANGUAGE


def _write_sentences(path: Path, given: StressOptions) -> None:
    if given.sources:
        raise UsageError("--write writes sentences and asks no model; leave the models out")
    if path.exists():
        raise UsageError(f"{path} exists; give another name")
    from wikibias.kits.tables import write_rows
    from wikibias.research.stress import Answer, rows

    cases = cases_of(given, given.language or DEFAULT_LANGUAGE)
    written = rows(Answer(case, "") for case in cases)
    write_rows(path, written)
    echo(
        f"Wrote {counted(len(written), 'sentence')} to {path}. Add a column predicted (biased, "
        "neutral or ?), and give the file to `wikibias audit stress`."
    )


_CROSS = ResultFolder("cross", 1, "wikibias audit transfer")


@dataclass(frozen=True, slots=True)
class _TransferOptions:
    """The options of `wikibias audit transfer`.

    Attributes:
        settings: A parameter NAME=VALUE, of several models MODEL.NAME=VALUE; may be given again.
        labels: Names of the labels in the files.
        balance: Draw as many of the larger class as of the other.
        cv: What stays in one of the five folds of a set without a test split.
        seed: Seed of training, folds and intervals.
        out: Folder of the result.
    """

    sets: Annotated[tuple[str, ...], Setting(command.ARGUMENT, metavar="NAME[:KIND]=PATH...")]
    models: Annotated[
        tuple[str, ...],
        Setting(
            "--model",
            "nb-lr",
            "NAME",
            f"{', '.join(OWN)}, or one that a package adds; may be given again.",
        ),
    ] = ()
    settings: Annotated[tuple[str, ...], Setting("--set", metavar="NAME=VALUE")] = ()
    labels: Annotated[
        str | None, Setting("--label-names", "labels", metavar="A=biased,B=neutral")
    ] = None
    balance: Annotated[bool, Setting("--balance")] = False
    cv: Annotated[str, click.Choice(GROUPINGS), Setting("--cv")] = "near-duplicate"
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    out: Annotated[Path, command.OUT_FOLDER, Setting("-o --out")] = Path("cross")


@audit.command()
@command.takes(_TransferOptions)
def transfer(given: _TransferOptions) -> None:
    """Train on each of several sets and test on each: what does one teach of the others?

    A set is NAME=PATH, a corpus folder or a file that `wikibias classify` reads;
    NAME=POSITIVE+NEGATIVE, two texts of a sentence a line; NAME:LABEL=PATH, the sentences judged by
    one label of what `classify --task labels` reads; or NAME:pairs=PATH, sentence pairs, whose
    sources are positive and stay in one fold with their targets. A set with a test split is tested
    on that; of one without, each sentence is tested by a model of the other folds. No model is
    tested on a sentence that it was trained on, where two sets share some.

    \b
    Examples:
      wikibias audit transfer en=corpora/en wnc=wnc.tsv --balance
      wikibias audit transfer hard=biased.txt+hard.txt easy=biased.txt+featured.txt
      wikibias audit transfer pov:point-of-view=corpora/en wnc:pairs=wnc.jsonl
      wikibias audit transfer a=a.tsv b=b.tsv --model encoder --set base=models/minilm
    """
    from wikibias.kits.console import show
    from wikibias.models import reading
    from wikibias.models.estimators.registry import create
    from wikibias.models.model_folder import OF_CLASSIFIERS, versions
    from wikibias.models.training import of_models, parse_settings
    from wikibias.research.audits import Cell, Judging, cross_table, read_sets
    from wikibias.research.reports.audits import f1_table, transfer_page

    _CROSS.refuse(given.out, overwrite=True)
    names = tuple(dict.fromkeys(given.models)) or ("nb-lr",)
    parameters = of_models(parse_settings(given.settings), names)
    labels = reading.parse_labels(given.labels)
    found = read_sets(given.sets, labels, command.warn, balance=given.balance, seed=given.seed)
    judging = Judging(grouped_by=given.cv, seed=given.seed, balance=given.balance)
    cells: dict[str, list[Cell]] = {}
    for name in names:
        make = partial(create, name, seed=given.seed, **parameters.get(name, {}))
        cells[name] = list(cross_table(found, make, judging))
        show(f1_table(name, cells[name]))
    content = {
        **asdict(judging),
        "versions": versions(OF_CLASSIFIERS),
        "sets": {each.name: each.described() for each in found},
        "parameters": {name: own for name, own in parameters.items() if own},
        "models": {name: {"cells": list(map(asdict, own))} for name, own in cells.items()},
    }
    _CROSS.write_report(given.out, content, transfer_page(found, cells), {})
    echo(f"Written to {given.out} (open report.html there)")


_MOST_NOTES = 5
_FEW = 100  # documents: figures are shaky


@dataclass(frozen=True, slots=True)
class _TopicsOptions:
    """The options of `wikibias audit topics`.

    Attributes:
        keywords: Words the corpus was searched with, one a line; or those of its tag set; may be
            given again.
        text: Column of the text in tables.
        topics: Numbers of topics.
        words: Numbers of words of each topic.
        similarity: How alike words are.
        vectors: Word vectors.
        seeds: How often topics are fitted, for intervals.
        seed: The first seed, also of samples.
        lists: Random lists of words as frequent.
        by: Group sentences by label, split, tag, year, tier, language, as A,B; or by none.
        stop_words: Words that make no topic.
        language: Language of what does not say its own.
        out: Write the figures and a page here.
    """

    sources: Annotated[
        tuple[Path, ...], _PATH, Setting(command.ARGUMENT, metavar="[CORPUS]...")
    ] = ()
    keywords: Annotated[tuple[str, ...], Setting("--keywords", "tag-set", "FILE|tag-set")] = ()
    text: Annotated[str | None, Setting("--text-column", "norm, text or sentence", "NAME")] = None
    topics: Annotated[str, command.Numbers(1, 1000), Setting("--topics")] = "2,8,20"
    words: Annotated[str, command.Numbers(1, 1000), Setting("--words")] = "8,20,50"
    similarity: Annotated[
        Literal["fasttext", "vectors", "wordnet"] | None,
        Setting("--similarity", "vectors with --vectors, else fasttext, trained on the corpus"),
    ] = None
    vectors: Annotated[Path | None, _PATH, Setting("--vectors", metavar="FILE")] = None
    seeds: Annotated[int, Meta(ge=1, le=100), Setting("--seeds")] = 5
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    lists: Annotated[int, Meta(ge=0, le=10_000), Setting("--lists")] = 200
    by: Annotated[str | None, Setting("--by", "all that the corpus tells", "A,B")] = None
    stop_words: Annotated[
        str | None, Setting("--stop-words", "those of the language", "FILE|none")
    ] = None
    language: Annotated[str | None, Setting("--language --lang", metavar="CODE")] = None
    out: Annotated[Path | None, command.OUT_FOLDER, Setting("-o --out", metavar="FOLDER")] = None


@audit.command()
@command.takes(_TopicsOptions)
def topics(given: _TopicsOptions) -> None:
    """Measure selection bias: are the topics of a corpus the words that it was searched with?

    CORPUS is a folder of wikibias, a text with a sentence on each line, or a table (.parquet,
    .jsonl, .csv, .tsv). Several are measured side by side, and compared. No labels are needed. Of
    more than 10,000 sentences, so many are drawn.

    \b
    Figures:
    B1           how alike topic words and keywords are, on average
    B2 mean_max  how alike each topic word is to its nearest keyword
    B2 max       how alike the nearest two of each topic are

    \b
    Examples:
      wikibias audit topics corpora/en
      wikibias audit topics corpora/en --keywords words.txt --vectors glove.npy --out bias
      wikibias audit topics sentences.csv --language en --keywords words.txt
    """
    from wikibias.kits.console import show
    from wikibias.research.reports.selection_bias import page, summary
    from wikibias.research.selection_bias.measure import RESULT

    if given.out is not None:
        RESULT.refuse(given.out, overwrite=True)
    result = _topics_of(given)
    # Where it is written to is no part of what it is.
    result["command"] = quoted(*command.typed(values=["--out"]))
    written = []
    if given.out is not None:
        rows = {"topics.jsonl": [*_topic_rows(result)], "figures.csv": [*_figure_rows(result)]}
        written = RESULT.write_report(given.out, result, page(result), rows)
    show(*summary(result))
    notes = result["notes"]
    for line in notes[:_MOST_NOTES]:
        command.warn(line)
    if (left := len(notes) - _MOST_NOTES) > 0:
        command.warn(f"and {counted(left, 'note')} more; with --out DIR all are kept")
    for path in written:
        echo(f"Wrote {path}.")


def _similarity_of(given: _TopicsOptions) -> Make:
    """Return what makes the measure of similarity that is asked for.

    Raises:
        UsageError: another option does not go with it, or what it needs is not installed.
    """
    from wikibias.kits.plugins import how_to_install
    from wikibias.research.selection_bias.similarity import read_vectors

    vectors, name = given.vectors, given.similarity or ("vectors" if given.vectors else "fasttext")
    if vectors is not None:
        if name != "vectors":
            raise UsageError(f"--vectors goes with --similarity vectors, not with {name}")
        return lambda words, corpora, seed: read_vectors(vectors, words)
    if name == "vectors":
        raise UsageError("--similarity vectors needs --vectors")
    if name == "wordnet":
        try:
            from wikibias.research.selection_bias.wordnet import WuPalmer, wordnet_folder
        except ImportError as error:
            raise UsageError(
                f"NLTK, which reads WordNet, is not installed; run: {how_to_install('wordnet')}"
            ) from error
        folder = wordnet_folder()
        return lambda words, corpora, seed: WuPalmer(folder)
    from wikibias.research.selection_bias.similarity import train_vectors

    return train_vectors


def _topics_of(given: _TopicsOptions) -> dict[str, Any]:
    """Return what is measured of the topics of corpora, as `selection_bias.json` holds it.

    Raises:
        UsageError: something that is asked for does not exist or does not fit.
        WikibiasError: something cannot be read.
    """
    from wikibias.research.selection_bias import documents
    from wikibias.research.selection_bias.measure import measure
    from wikibias.research.selection_bias.samples import Settings
    from wikibias.text.stop_words import stop_words

    sources, make = given.sources or (command.corpus_or_newest(None),), _similarity_of(given)
    by = given.by if given.by is None else [part.strip() for part in given.by.split(",")]
    settings = Settings(
        topics=tuple(given.topics),  # type: ignore[arg-type]  # as `Numbers` has them
        words=tuple(given.words),  # type: ignore[arg-type]
        seeds=range(given.seed, given.seed + given.seeds),
        lists=given.lists,
        by=() if by == ["none"] else by and [*dict.fromkeys(filter(None, by))],
    )
    found = documents.read_all(
        sources, text=given.text, language=given.language or "", seed=given.seed
    )
    for path, corpus in zip(sources, found, strict=True):
        if not corpus.language and given.stop_words is None:
            raise UsageError(
                f"{path} does not say its language; give --language CODE, as en, or --stop-words "
                "FILE"
            )
    own = given.stop_words
    named: Any = own if own in (None, "none") else Path(own)
    without = {each.name: stop_words(each.language, named) for each in found}
    asked = [*dict.fromkeys(given.keywords)] or [documents.TAG_SET]
    files = [name for name in asked if name != documents.TAG_SET or Path(name).is_file()]
    fixed = [documents.read_keywords(Path(name)) for name in files]
    corpora = [
        (corpus, [*fixed, documents.of_tag_set(path)] if len(files) < len(asked) else fixed)
        for path, corpus in zip(sources, found, strict=True)
    ]
    with progress() as update:
        result = measure(corpora, replace(settings, stop_words=without), make, update)
    result["notes"] = [*_topic_cautions(result), *result["notes"]]
    languages = ", ".join(dict.fromkeys(each.language for each in found))
    shown = Path(own).name if own else f"{languages}: ours and spaCy's"
    result["settings"]["stop_words"] = shown
    return result


def _topic_cautions(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is to be taken with care in a result, a line each."""
    title, base = result["similarity"]["title"], result["settings"]["base"]
    if caution := result["similarity"].get("caution"):
        yield caution
    if any(each["name"] == "tag-set" for each in result["keywords"]):
        yield (
            "tag-set: names of tags and words of summaries stand outside of articles; that topics "
            "are far from them says little of how the corpus was gathered"
        )
    known = {
        each["corpus"]: each["coverage"]["topic_words"]
        for each in result["figures"]
        if each["group"] is None and all(each[name] == of for name, of in base.items())
    }
    for each in result["corpora"]:
        name, number = each["name"], each["documents"]
        if number < _FEW:
            yield f"{name}: only {counted(number, 'sentence')}; topics of so few are shaky"
        if each["of"] > number:
            yield f"{name}: {number:,} of its {each['of']:,} sentences, drawn at random"
        if each["vocabulary"] < base["topics"] * base["words"]:
            yield (
                f"{name}: only {counted(each['vocabulary'], 'word')} frequent enough for "
                f"{base['topics']} topics, which share them; the figures say little"
            )
        if known[name] < 0.5:
            yield (
                f"{name}: {title} knows {known[name]:.0%} of the topic words; choose another "
                "--similarity or --vectors"
            )


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Show what is being done: a bar on a terminal, else lines in the log."""
    from wikibias.cli.progress import bar, lines

    doing = ["reading"]
    with lines(lambda seconds: f"selection bias: {doing[0]}"), bar(doing[0], None) as show:

        def update(line: str) -> None:
            doing[0] = line
            show(description=printable(line))

        yield update


def _topic_rows(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    settings = result["settings"]
    for each in result["topics"]:
        yield {
            "corpus": each["corpus"],
            "topics": settings["base"]["topics"],
            "seed": settings["seeds"][0],
            **{name: each[name] for name in ("topic", "words", "share")},
        }


def _figure_rows(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for each in result["figures"]:
        group = each["group"] or {"by": "", "value": ""}
        drawn = (each["baseline"] or {}).get("figures", {})
        for name, interval in {"b1": each["b1"], **each["b2"]}.items():
            chance = drawn.get(name, {})
            yield {
                "corpus": each["corpus"],
                "keywords": each["keywords"],
                "by": group["by"],
                "group": group["value"],
                **{key: each[key] for key in ("documents", "topics", "words", "missing")},
                "figure": name,
                **{key: interval[key] for key in ("value", "low", "high")},
                **{f"random_{key}": chance.get(key) for key in ("mean", "low", "high", "p")},
                **{f"coverage_{key}": share for key, share in each["coverage"].items()},
            }
