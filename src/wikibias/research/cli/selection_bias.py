"""`wikibias audit topics`: how close topics of a corpus are to words it was searched with."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, Numbers, corpus_or_newest, takes, typed, warn
from wikibias.messages import counted, printable

if TYPE_CHECKING:
    from wikibias.research.selection_bias.documents import Documents
    from wikibias.research.selection_bias.keywords import KeywordList
    from wikibias.research.selection_bias.settings import Settings

_MOST_NOTES = 5
_FEW = 100  # documents: figures are shaky
_OF_LISTS = {
    "classes": "classes: these keywords are from the corpus itself, so B2 is high by construction; "
    "compare topics and groups by them, not corpora",
    "tag-set": "tag-set: names of tags and words of summaries stand outside of articles; that "
    "topics are far from them says little of how the corpus was gathered",
}
# An option and the similarity that it goes with.
_OPTIONS_OF = {
    "vectors": "vectors",
    "encoder": "encoder",
    "wordnet": "wordnet",
    "train_on": "fasttext",
}
_TOPICS, _FIGURES, _PAGE = "topics.jsonl", "figures.csv", "report.html"
PATH = click.Path(path_type=Path)


_Text = str | None
_File = Annotated[Path | None, PATH]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command."""

    sources: Annotated[tuple[Path, ...], PATH, Setting("", ARGUMENT, metavar="[CORPUS]...")] = ()
    keywords: Annotated[
        tuple[str, ...],
        Setting(
            "Words the corpus was searched with, one a line; or those of its tag set; or those "
            "that tell its classes apart. May be given again.",
            "--keywords",
            "tag-set",
            "FILE|tag-set|classes",
        ),
    ] = ()
    topics: Annotated[str, Numbers(1, 1000), Setting("Numbers of topics.", "--topics")] = "2,8,20"
    words: Annotated[
        str, Numbers(1, 1000), Setting("Numbers of words of each topic.", "--words")
    ] = "8,20,50"
    similarity: Annotated[
        _Text,
        Setting(
            "How alike words are: vectors, fasttext, wordnet or encoder.",
            "--similarity",
            "the one whose option is given, else fasttext, trained on the corpus",
            "NAME",
        ),
    ] = None
    vectors: Annotated[_File, Setting("Word vectors.", "--vectors", metavar="FILE")] = None
    encoder: Annotated[_Text, Setting("A sentence encoder.", "--encoder", metavar="FOLDER")] = None
    wordnet: Annotated[_File, Setting("WordNet's files.", "--wordnet", metavar="FOLDER")] = None
    train_on: Annotated[
        _File,
        Setting("Train fasttext on this corpus, table or text.", "--train-on", metavar="PATH"),
    ] = None
    missing: Annotated[
        Literal["zero", "skip"],
        Setting("What a pair of words without a similarity counts for.", "--missing"),
    ] = "zero"
    seeds: Annotated[
        int, Meta(ge=1, le=100), Setting("How often topics are fitted, for intervals.", "--seeds")
    ] = 5
    seed: Annotated[
        int, Meta(ge=0, le=MOST_SEED), Setting("The first seed, also of samples.", "--seed")
    ] = 0
    most: Annotated[
        int, Meta(ge=1, le=1_000_000), Setting("Sentences of each corpus, at most.", "--most")
    ] = 10_000
    lists: Annotated[
        int, Meta(ge=0, le=10_000), Setting("Random lists of words as frequent.", "--lists")
    ] = 200
    by: Annotated[
        _Text,
        Setting(
            "Group sentences by label, split, tag, year, tier, language, as A,B; or by none.",
            "--by",
            "all that the corpus tells",
            "A,B",
        ),
    ] = None
    stop_words: Annotated[
        _Text,
        Setting("Words that make no topic.", "--stop-words", "those of the language", "FILE|none"),
    ] = None
    language: Annotated[
        _Text,
        Setting("Language of what does not say its own.", "--language --lang", metavar="CODE"),
    ] = None
    text_column: Annotated[
        _Text, Setting("The column with the sentences.", "--text-column", metavar="NAME")
    ] = None
    label_column: Annotated[
        _Text, Setting("The column with their labels.", "--label-column", metavar="NAME")
    ] = None
    labels: Annotated[
        _Text, Setting("What labels mean.", "--labels", metavar="NAME=biased,NAME=neutral")
    ] = None
    out: Annotated[
        _File, Setting("Write the figures and a page here.", "--out", metavar="FOLDER")
    ] = None
    overwrite: Annotated[
        bool, Setting("Replace files that this command did not write.", "--overwrite")
    ] = False


@click.command(name="topics")
@takes(Options)
def command(given: Options) -> None:
    """Measure selection bias: are the topics of a corpus the words that it was searched with?

    CORPUS is a folder of wikibias, a text with a sentence on each line, or a table (.parquet,
    .jsonl, .csv, .tsv). Several are measured side by side, and compared. No labels are needed.

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
    from wikibias.kits.terminal import echo
    from wikibias.research.reports.selection_bias import summary

    similarity = _similarity(given)
    if given.out is not None:
        _check_folder(given.out, overwrite=given.overwrite)
    result = _measured(given.sources or (corpus_or_newest(None),), given, similarity)
    # Where it is written to is no part of what it is.
    result["command"] = shlex.join(typed(values=["--out"], flags=["--overwrite"]))
    written = _save(given.out, result) if given.out is not None else []
    show(*summary(result))
    notes = result["notes"]
    for line in notes[:_MOST_NOTES]:
        warn(line)
    if (left := len(notes) - _MOST_NOTES) > 0:
        warn(f"and {counted(left, 'note')} more; with --out DIR all are kept")
    for path in written:
        echo(f"Wrote {path}.")


def _similarity(given: Options) -> str:
    """Return the name of the similarity that is asked for.

    Raises:
        UsageError: there is none of that name, or another option does not go with it.
    """
    from wikibias.research.selection_bias.similarity import SIMILARITIES

    asked = [of for option, of in _OPTIONS_OF.items() if getattr(given, option) is not None]
    name = given.similarity or (*asked, "fasttext")[0]
    SIMILARITIES.check(name)
    for option, of in _OPTIONS_OF.items():
        flag, is_given = f"--{option.replace('_', '-')}", getattr(given, option) is not None
        if is_given and of != name and name in SIMILARITIES.own():
            raise UsageError(f"{flag} goes with --similarity {of}, not with {name}")
        if not is_given and of == name and option in ("vectors", "encoder"):
            raise UsageError(f"--similarity {name} needs {flag}")
    return name


def _measured(sources: Sequence[Path], given: Options, similarity: str) -> dict[str, Any]:
    """Return the result of corpora, as `selection_bias.json` holds it.

    Raises:
        UsageError: something that is asked for does not exist or does not fit.
        WikibiasError: something cannot be read.
    """
    from wikibias.research.selection_bias.documents import read_all
    from wikibias.research.selection_bias.measure import measure
    from wikibias.research.selection_bias.similarity import SIMILARITIES, Wanted
    from wikibias.research.selection_bias.trained_vectors import training_texts
    from wikibias.text.spacy_splitter import stop_words

    _settings(given, {}, ())  # says what is wrong with them before anything is read
    found = read_all(
        sources,
        labels=given.labels,
        language=given.language or "",
        most=given.most,
        seed=given.seed,
        text_column=given.text_column,
        label_column=given.label_column,
    )
    for path, documents in zip(sources, found, strict=True):
        if not documents.language and given.stop_words is None:
            raise UsageError(
                f"{path} does not say its language; give --language CODE, as en, or --stop-words "
                "FILE"
            )
    named: Path | Literal["none"] | None = None
    if given.stop_words is not None:
        named = "none" if given.stop_words == "none" else Path(given.stop_words)
    without = {each.name: stop_words(each.language, named) for each in found}
    corpora, left_out = _lists(given, dict(zip(sources, found, strict=True)), without)
    texts = None
    if given.train_on is not None:
        texts = training_texts(given.train_on, given.language or found[0].language)
    wanted = Wanted(
        vectors=given.vectors,
        texts=texts,
        encoder=given.encoder or "",
        wordnet=given.wordnet,
        seed=given.seed,
    )
    with progress() as say:
        settings = _settings(given, without, found)
        result = measure(corpora, settings, SIMILARITIES[similarity], wanted, say)
    notes = [*left_out, *(note for each in found for note in each.notes)]
    result["notes"] = [*notes, *_cautions(corpora, result), *result["notes"]]
    return result


def _settings(
    given: Options, stop_words: Mapping[str, frozenset[str]], found: Sequence[Documents]
) -> Settings:
    from wikibias.research.selection_bias.settings import Settings

    languages = ", ".join(dict.fromkeys(each.language for each in found))
    by = None
    if given.by is not None:
        by = tuple(dict.fromkeys(part.strip() for part in given.by.split(",") if part.strip()))
    named = given.stop_words
    return Settings(
        topics=tuple(given.topics),  # type: ignore[arg-type]  # as `Numbers` has them
        words=tuple(given.words),  # type: ignore[arg-type]
        seeds=tuple(range(given.seed, given.seed + given.seeds)),
        missing=given.missing,
        lists=given.lists,
        most=given.most,
        by=() if by == ("none",) else by,
        stop_words=stop_words,
        stop_words_of=Path(named).name if named else f"{languages}: ours and spaCy's",
    )


def _lists(
    given: Options, sources: Mapping[Path, Documents], without: Mapping[str, frozenset[str]]
) -> tuple[list[tuple[Documents, list[KeywordList]]], list[str]]:
    """Return each corpus with its lists of keywords, and notes on those that it does not give.

    Raises:
        UsageError: a list cannot be read, two have one name, a corpus does not tell its tag set, or
            has no other list than `classes` and no word tells these apart.
    """
    from wikibias.research.selection_bias import keywords as lists

    asked = [*dict.fromkeys(given.keywords)] or [lists.TAG_SET]
    own = [name for name in asked if name in lists.OWN and not Path(name).is_file()]
    fixed = [lists.read_keywords(lists.file_of(name)) for name in asked if name not in own]
    names = [*(each.name for each in fixed), *own]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two lists of keywords are called {name!r}; rename one")
    notes: list[str] = []
    corpora = []
    for path, documents in sources.items():
        found = [*fixed]
        if lists.TAG_SET in own:
            found.append(lists.of_tag_set(path))
        if lists.CLASSES in own:
            try:
                found.append(lists.of_classes(documents, without[documents.name]))
            except UsageError as error:
                if not found:
                    raise
                notes.append(f"keywords {lists.CLASSES!r} left out: {error}")
        corpora.append((documents, found))
    return corpora, notes


def _cautions(
    corpora: Sequence[tuple[Documents, Sequence[KeywordList]]], result: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what is to be taken with care in a result, a line each."""
    title, base = result["similarity"]["title"], result["settings"]["base"]
    if caution := result["similarity"].get("caution"):
        yield caution
    names = {each.name for _, lists in corpora for each in lists}
    yield from (line for name, line in _OF_LISTS.items() if name in names)
    for documents, _ in corpora:
        if len(documents) < _FEW:
            yield (
                f"{documents.name}: only {counted(len(documents), 'sentence')}; topics of so few "
                "are shaky"
            )
        if documents.of > len(documents):
            yield (
                f"{documents.name}: {len(documents):,} of its {documents.of:,} sentences, drawn at "
                "random; --most takes more"
            )
    for each in result["corpora"]:
        if each["vocabulary"] < base["topics"] * base["words"]:
            yield (
                f"{each['name']}: only {counted(each['vocabulary'], 'word')} frequent enough for "
                f"{base['topics']} topics, which share them; the figures say little"
            )
    known = {
        each["corpus"]: each["coverage"]["topic_words"]
        for each in result["figures"]
        if each["group"] is None and all(each[name] == of for name, of in base.items())
    }
    for corpus, share in known.items():
        if share < 0.5:
            yield (
                f"{corpus}: {title} knows {share:.0%} of the topic words; choose another "
                "--similarity or --vectors"
            )


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Show what is being done: a bar on a terminal, else lines in the log."""
    from wikibias.cli.progress import bar, lines

    doing = ["reading"]
    with (
        lines(lambda seconds: f"selection bias: {doing[0]}"),
        bar(doing[0], None) as show,
    ):

        def update(line: str) -> None:
            doing[0] = line
            show(description=printable(line))

        yield update


def _check_folder(out: Path, *, overwrite: bool) -> None:
    """Make sure that a result may be written to a folder, before it takes its time.

    Raises:
        UsageError: it holds what this command did not write.
        DiskError: nothing can be written there.
    """
    from wikibias.kits.files import scratch_file
    from wikibias.kits.folders import refuse_foreign

    if out.is_file():
        raise UsageError(f"{out} is a file, and --out is a folder; give another --out")
    if not overwrite:
        refuse_foreign(out, _is_ours)
    with scratch_file(next(each for each in (out, *out.absolute().parents) if each.is_dir())):
        pass


def _is_ours(folder: Path) -> bool:
    from wikibias.kits.files import read_json
    from wikibias.research.selection_bias import FORMAT, RESULT

    try:
        found = read_json(folder / RESULT)
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT


def _save(out: Path, result: Mapping[str, Any]) -> list[Path]:
    """Write the result, its tables and its page; return what was written.

    Raises:
        DiskError: the disk is full, or the folder cannot be written to.
    """
    from wikibias.kits.files import write_json, write_text
    from wikibias.kits.html import html
    from wikibias.kits.tables import write_rows
    from wikibias.research.reports.selection_bias import page
    from wikibias.research.selection_bias import RESULT

    shown = html(page(result))
    write_json(out / RESULT, result)  # first, since by it the others are known for ours
    write_rows(out / _TOPICS, list(_topic_rows(result)))
    write_rows(out / _FIGURES, list(_figure_rows(result)))
    write_text(out / _PAGE, shown)
    return [out / name for name in (RESULT, _TOPICS, _FIGURES, _PAGE)]


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
