"""`wikibias selection-bias`: how close topics of a corpus are to words it was searched with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from wikibias.cli.options import config_dir_option
from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.messages import counted
from wikibias.research.cli.selection_bias.numbers import Numbers

_MISSING = ("zero", "skip")
_PATH = click.Path(path_type=Path)
_MOST_NOTES = 5
# An option and the similarity that it goes with.
_OPTIONS_OF = {
    "vectors": "vectors",
    "encoder": "encoder",
    "wordnet": "wordnet",
    "train_on": "fasttext",
}
_OF_CORPORA = frozenset(
    {
        *("topics", "words", "seeds", "most", "lists", "by", "cv", "stop_words", "topic_model"),
        *("text_column", "label_column", "labels"),
    }
)


@click.command(name="selection-bias")
@click.argument("sources", metavar="[CORPUS]...", nargs=-1, type=_PATH)
@click.option(
    "--keywords",
    metavar="FILE|tag-set|classes",
    multiple=True,
    help="Words the corpus was searched with, one a line; or those of its tag set; or those that "
    "tell its classes apart. May be given again.  [default: tag-set]",
)
@click.option(
    "--lexicon",
    "lexicons",
    metavar="NAME|FILE",
    multiple=True,
    help="The words of a lexicon as keywords; may be given again.",
)
@click.option(
    "--topics",
    type=Numbers(1, 1000),
    default="2,8,20",
    show_default=True,
    help="Numbers of topics, parted by commas.",
)
@click.option(
    "--words",
    type=Numbers(1, 1000),
    default="8,20,50",
    show_default=True,
    help="Numbers of words of each topic, parted by commas.",
)
@click.option(
    "--similarity",
    metavar="NAME",
    help="How alike words are: vectors, fasttext, wordnet or encoder.  [default: the one whose "
    "option is given, else fasttext, trained on the corpus]",
)
@click.option("--vectors", metavar="FILE|PACKAGE", help="Word vectors, or a package with some.")
@click.option("--encoder", metavar="FOLDER|PACKAGE", help="A sentence encoder.")
@click.option("--wordnet", type=_PATH, metavar="FOLDER", help="The files of WordNet.")
@click.option(
    "--train-on",
    type=_PATH,
    metavar="PATH",
    help="Train fasttext on this dump, text, table or corpus, not on the corpora themselves.",
)
@click.option(
    "--missing",
    type=click.Choice(_MISSING),
    default=_MISSING[0],
    show_default=True,
    help="Whether a pair of words without a similarity counts as zero, or is left out.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="How often topics are fitted, each time with another seed; intervals come from these.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="The first seed, and that of samples and random lists.",
)
@click.option(
    "--most",
    type=click.IntRange(1, 1_000_000),
    default=10_000,
    show_default=True,
    help="Sentences of each corpus; drawn at random where there are more.",
)
@click.option(
    "--lists",
    type=click.IntRange(0, 10_000),
    default=200,
    show_default=True,
    help="Random lists of equally frequent words to compare with; 0 for none.",
)
@click.option(
    "--by",
    metavar="A,B",
    help="By what sentences are parted and compared: label, split, tag, year, tier, language; or "
    "none.  [default: all that the corpus tells]",
)
@click.option(
    "--cv",
    metavar="ESTIMATOR",
    help="Also cross-validate this classifier, once with whole topics held out: what is lost is "
    "what it has from topics.",
)
@click.option(
    "--stop-words",
    metavar="FILE|none",
    help="Words that make no topic, one a line.  [default: those of the language]",
)
@click.option(
    "--language",
    "--lang",
    metavar="CODE",
    help="Language of what does not say its own, as texts and tables.",
)
@click.option("--text-column", metavar="NAME", help="The column with the sentences.")
@click.option("--label-column", metavar="NAME", help="The column with their labels.")
@click.option(
    "--labels",
    metavar="NAME=biased,NAME=neutral",
    help="What labels of a file mean, where they are called something else.",
)
@click.option(
    "--topic-model",
    default="lda",
    show_default=True,
    metavar="NAME",
    help="What fits the topics: lda or nmf.",
)
@click.option(
    "--topics-file",
    type=_PATH,
    metavar="FILE",
    help="Measure these topics, a JSON list of lists of words, and no corpus.",
)
@click.option(
    "--out",
    type=_PATH,
    metavar="PATH",
    help="Write the figures and a page to this folder; with --topics-file, a JSON.",
)
@click.option("--overwrite", is_flag=True, help="Replace files that this command did not write.")
@config_dir_option
def command(sources: tuple[Path, ...], **given: Any) -> None:
    """Measure selection bias: are the topics of a corpus the words that it was searched with?

    CORPUS is a folder of wikibias, a text with a sentence on each line, or a table (.parquet,
    .jsonl, .csv, .tsv). Several are measured side by side, and two also compared: what came and
    what went. No labels are needed.

    \b
    Figures:
    B1           how alike topic words and keywords are, on average
    B2 mean_max  how alike each topic word is to its nearest keyword
    B2 max       how alike the nearest two of each topic are

    \b
    Examples:
      wikibias selection-bias corpora/en
      wikibias selection-bias corpora/en --keywords words.txt --vectors glove.txt --out bias
      wikibias selection-bias sentences.csv --language en --keywords words.txt
      wikibias selection-bias --topics-file t.json --keywords k.txt --vectors v.txt --out b.json
    """
    _check_similarity(given)
    if given["topics_file"] is not None:
        _of_topics_file(sources, given)
        return
    _of_corpora(sources, given)


def _check_similarity(given: dict[str, Any]) -> None:
    """Fill in the default of --similarity.

    Raises:
        UsageError: there is none of that name, or another option does not go with it.
    """
    from wikibias.research.selection_bias.similarity.registry import SIMILARITIES

    told = [of for option, of in _OPTIONS_OF.items() if given[option] is not None]
    name = given["similarity"] or (*told, "fasttext")[0]
    SIMILARITIES.check(name)
    for option, of in _OPTIONS_OF.items():
        shown = f"--{option.replace('_', '-')}"
        if given[option] is not None and of != name and name in SIMILARITIES.own():
            raise UsageError(f"{shown} goes with --similarity {of}, not with {name}")
        if given[option] is None and of == name and option in ("vectors", "encoder"):
            raise UsageError(f"--similarity {name} needs {shown}")
    given["similarity"] = name


def _of_corpora(sources: tuple[Path, ...], given: dict[str, Any]) -> None:
    from wikibias.kits.command import corpus_or_newest, typed, warn
    from wikibias.kits.terminal import echo
    from wikibias.research.cli.selection_bias import files, tables
    from wikibias.research.cli.selection_bias.corpora import measured

    out: Path | None = given["out"]
    if out is not None:
        files.check(out, overwrite=given["overwrite"])
    result = measured(sources or (corpus_or_newest(None),), given)
    # Where it is written to is no part of what it is.
    result["command"] = shlex.join(typed(values=["--out"], flags=["--overwrite"]))
    written = files.save(out, result) if out is not None else []
    tables.show(result)
    notes = result["notes"]
    for line in notes[:_MOST_NOTES]:
        warn(line)
    if (left := len(notes) - _MOST_NOTES) > 0:
        warn(f"and {counted(left, 'note')} more; with --out DIR all are kept")
    for path in written:
        echo(f"Wrote {path}.")


def _refuse_of_corpora() -> None:
    """Refuse options that topics of a file have no use for.

    Raises:
        UsageError: one is on the command line.
    """
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        is_typed = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_typed and name in _OF_CORPORA:
            raise UsageError(f"{option.opts[0]} goes with a corpus, and not with --topics-file")


def _of_topics_file(sources: tuple[Path, ...], given: dict[str, Any]) -> None:
    from wikibias.kits.command import warn
    from wikibias.kits.terminal import echo
    from wikibias.research.cli.selection_bias import topics_file
    from wikibias.research.cli.selection_bias.similarities import similarity

    if sources:
        raise UsageError("--topics-file measures topics, and no corpus; leave the corpora out")
    _refuse_of_corpora()
    out: Path | None = given["out"]
    if out is not None and not given["overwrite"]:
        topics_file.refuse_others(out)
    keywords = topics_file.keywords_of(given["keywords"], given["lexicons"])
    topics = topics_file.read_topics(given["topics_file"])
    topics_file.check_size(topics, keywords)
    words = [*(word for topic in topics for word in topic), *keywords.words]
    found = topics_file.measured(topics, keywords, similarity(given, words), given["missing"])
    if out is not None:
        topics_file.write(out, found)
    topics_file.show(found, keywords)
    if caution := found["similarity"].get("caution"):
        warn(caution)
    if out is not None:
        echo(f"Wrote {out}.")
