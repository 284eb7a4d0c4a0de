"""`wikibias audit topics`: how close topics of a corpus are to words it was searched with."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED, command
from wikibias.kits.checked import Meta, Setting
from wikibias.messages import counted, printable

if TYPE_CHECKING:
    from wikibias.research.selection_bias.measure import Make

_MOST_NOTES = 5
_FEW = 100  # documents: figures are shaky
_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command.

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
    out: Annotated[Path | None, command.OUT_FOLDER, Setting("--out", metavar="FOLDER")] = None


@click.command()
@command.takes(Options)
def topics(given: Options) -> None:
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
    from wikibias.kits.terminal import echo
    from wikibias.research.reports.selection_bias import page, summary
    from wikibias.research.selection_bias.measure import RESULT

    if given.out is not None:
        RESULT.refuse(given.out, overwrite=True)
    result = _measured(
        given.sources or (command.corpus_or_newest(None),), given, _measure_of(given)
    )
    # Where it is written to is no part of what it is.
    result["command"] = shlex.join(command.typed(values=["--out"]))
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


def _measure_of(given: Options) -> Make:
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


def _measured(sources: Sequence[Path], given: Options, make: Make) -> dict[str, Any]:
    """Return the result of corpora, as `selection_bias.json` holds it.

    Raises:
        UsageError: something that is asked for does not exist or does not fit.
        WikibiasError: something cannot be read.
    """
    from wikibias.research.selection_bias.documents import (
        TAG_SET,
        of_tag_set,
        read_all,
        read_keywords,
    )
    from wikibias.research.selection_bias.measure import measure
    from wikibias.research.selection_bias.samples import Settings
    from wikibias.text.spacy_splitter import stop_words

    by = given.by if given.by is None else [part.strip() for part in given.by.split(",")]
    settings = Settings(
        topics=tuple(given.topics),  # type: ignore[arg-type]  # as `Numbers` has them
        words=tuple(given.words),  # type: ignore[arg-type]
        seeds=range(given.seed, given.seed + given.seeds),
        lists=given.lists,
        by=() if by == ["none"] else by and [*dict.fromkeys(filter(None, by))],
    )
    found = read_all(sources, text=given.text, language=given.language or "", seed=given.seed)
    for path, documents in zip(sources, found, strict=True):
        if not documents.language and given.stop_words is None:
            raise UsageError(
                f"{path} does not say its language; give --language CODE, as en, or --stop-words "
                "FILE"
            )
    own = given.stop_words
    named: Any = own if own in (None, "none") else Path(own)
    without = {each.name: stop_words(each.language, named) for each in found}
    asked = [*dict.fromkeys(given.keywords)] or [TAG_SET]
    files = [name for name in asked if name != TAG_SET or Path(name).is_file()]
    fixed = [read_keywords(Path(name)) for name in files]
    corpora = [
        (documents, [*fixed, of_tag_set(path)] if len(files) < len(asked) else fixed)
        for path, documents in zip(sources, found, strict=True)
    ]
    with progress() as update:
        result = measure(corpora, replace(settings, stop_words=without), make, update)
    result["notes"] = [*_cautions(result), *result["notes"]]
    languages = ", ".join(dict.fromkeys(each.language for each in found))
    shown = Path(own).name if own else f"{languages}: ours and spaCy's"
    result["settings"]["stop_words"] = shown
    return result


def _cautions(result: Mapping[str, Any]) -> Iterator[str]:
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
    with (
        lines(lambda seconds: f"selection bias: {doing[0]}"),
        bar(doing[0], None) as show,
    ):

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
