"""`wikibias report`: one page that shows what a corpus, pairs or a measurement holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import FILE, OUT_FILE, corpus_argument, takes, warn
from wikibias.kits.document import Section
from wikibias.kits.terminal import echo

NAME = "report.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The options of `wikibias report`.

    Attributes:
        out: The page to write.
        seed: Of the samples of edits.
        labels: Of a corpus: what annotators said of a sample of it, a file of answers; may be given
            again. Goes with --tasks.
        tasks: The task file of the sample, as `wikibias annotate sample` wrote it.
        columns: The columns of --answers that are annotators, where it is a wide table.
        overwrite: Replace a file that is no page of this command.
    """

    out: Annotated[
        Path | None,
        OUT_FILE,
        Setting(
            "-o --out",
            f"{NAME} in the folder, here for several; of sentence pairs report-NAME.html beside "
            "the folder NAME",
        ),
    ] = None
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    labels: Annotated[tuple[Path, ...], FILE, Setting("--answers")] = ()
    tasks: Annotated[Path | None, FILE, Setting("--tasks")] = None
    columns: Annotated[str | None, Setting("--annotator-columns", metavar="A,B,C")] = None
    overwrite: Annotated[bool, Setting("--overwrite")] = False


@click.command(name="report")
@corpus_argument(several=True, built=False)
@takes(ReportOptions)
def command(options: ReportOptions, *, folders: tuple[Path, ...]) -> Path:
    """Show what a corpus holds, on one page: a file that needs no network.

    The page shows what the filters dropped, what the corpus holds, when tags came and went and how
    long they stood, which words tell the classes apart, and samples of edits as diffs. Several
    folders, of languages or years, are shown side by side. With --answers and --tasks it shows what
    share annotators judged biased, by bin, tier and tag, with intervals and their agreement.

    Of folders that `wikibias pairs` made it shows the sentences before and after the edits, and the
    most frequent changes.

    \b
    Examples:
      wikibias report corpora/fr
      wikibias report corpora/fr corpora/en --out both.html
      wikibias report corpora/en --answers answers.jsonl --tasks tasks.jsonl
    """
    from wikibias.kits.files import write_text

    labels, tasks, columns, seed = options.labels, options.tasks, options.columns, options.seed
    chosen = list({folder.resolve(): folder for folder in reversed(folders)}.values())[::-1]
    of_pairs = _are_pairs(chosen)
    if bool(labels) != bool(tasks) or (columns and not labels) or (labels and of_pairs):
        raise UsageError(
            "--answers (and --annotator-columns) go with --tasks, and with folders of corpora"
        )
    path = options.out or _path(chosen, of_pairs=of_pairs)
    if not options.overwrite:
        from wikibias.kits.html import refuse_foreign_page

        instead = "choose another --out, or --overwrite to replace it"
        refuse_foreign_page(path, instead, "wikibias report")
    if of_pairs:
        from wikibias.reports.pairs_page import page as page_of_pairs

        write_text(path, page_of_pairs(chosen, seed))
    else:
        from wikibias.pipeline import manifest
        from wikibias.reports.corpus_page import JUDGED, OPTIONAL_SECTIONS, has_section, page

        results = {each: manifest.load_recorded(each) for each in chosen}
        judged: dict[Path, tuple[Section, str]] = {}
        if tasks is not None:
            judged = OPTIONAL_SECTIONS[JUDGED](chosen, labels, tasks, columns, seed)
        loses = not judged and has_section(path, JUDGED)
        more = {folder: section for folder, (section, _) in judged.items()}
        write_text(path, page(results, seed, more))
        if loses:
            warn(
                f"{path} had a section on what annotators say, which is left out now; to have it "
                "again give --answers and --tasks as well"
            )
        for folder, (_, summary) in judged.items():
            echo(f"{folder}: {summary}")
    echo(f"Wrote {path}. Open it in a browser.")
    return path


def _path(folders: Sequence[Path], *, of_pairs: bool) -> Path:
    """Return where the page goes; an export of pairs is to hold nothing but itself."""
    if len(folders) > 1:
        return Path(NAME)
    (folder,) = folders
    if not of_pairs:
        return folder / NAME
    named = folder if folder.name not in ("", "..") else folder.resolve()
    return named.with_name(f"report-{named.name}.html")


def _are_pairs(folders: Sequence[Path]) -> bool:
    """Return whether folders hold sentence pairs.

    Raises:
        UsageError: some do and some do not.
    """
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    with_pairs = [folder for folder in folders if is_pairs_folder(folder)]
    if with_pairs and len(with_pairs) < len(folders):
        other = next(folder for folder in folders if folder not in with_pairs)
        raise UsageError(
            f"{with_pairs[0]} holds sentence pairs and {other} does not; show them on two pages"
        )
    return bool(with_pairs)
