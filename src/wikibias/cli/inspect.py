"""`wikibias inspect`: the whole story of a sentence, an edit or a page."""

from __future__ import annotations

from pathlib import Path

import click

from wikibias.errors import UsageError
from wikibias.kits.command import corpus_or_newest
from wikibias.kits.terminal import echo

_MANIFEST = "manifest.json"


@click.command(name="inspect")
@click.argument("words", nargs=-1, metavar="[FOLDER] [WHAT]")
@click.option("--sentence", metavar="ID", help="The sentence of this sentence_id.")
@click.option("--page", metavar="TITLE", help="The time line of a page's tags.")
@click.option(
    "--revision",
    type=click.IntRange(1, 10**18 - 1),
    help="The edit that made this revision; with --page, where it lies among that page's.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write it to this file, as a page for the browser.",
)
def command(
    words: tuple[str, ...],
    *,
    sentence: str | None,
    page: str | None,
    revision: int | None,
    html: Path | None,
) -> None:
    """Show why an edit was kept or dropped, and where its sentences went.

    WHAT is a revision id (a number), a sentence id, the pair_id of a sentence pair (it leads to its
    edit) or a page title. Of an edit you see the two revisions, where the tag stood, what each
    filter answers, the sentences side by side, and for each its split, or why it is not in the
    corpus. Of a page you see when its tags stood, and the verdict on each edit. FOLDER is what
    `wikibias extract` made; without it, the one result under ./corpora, or the newest.

    \b
    Examples:
      wikibias inspect corpora/en 50
      wikibias inspect corpora/en demoenwiki-7-removed-0
      wikibias inspect --page "Varnholt Institute" --html varnholt.html
    """
    from wikibias.cli.story_text import show
    from wikibias.reports.inspection import Question, inspect, recognised

    folder, what = _folder_and_words(words)
    question = Question(sentence, page, revision)
    asked = question != Question()
    if asked == bool(what) or (sentence and (page or revision)):
        raise UsageError(
            "say one thing to inspect: a revision id, a sentence id, a page title, or --page with "
            "--revision; see `wikibias inspect --help`"
        )
    found = inspect(corpus_or_newest(folder, built=False), question if asked else recognised(what))
    show(found)
    if html is not None:
        from wikibias.reports.story_page import write_story

        write_story(found, html)
        echo(f"Page: {html}")


def _folder_and_words(words: tuple[str, ...]) -> tuple[Path | None, str]:
    """Return the folder, if the first word is one, and the rest as one text.

    A title may be a folder's name too: alone it is one only if a result is in it.
    """
    if words:
        first = Path(words[0])
        if (first / _MANIFEST).is_file() or (len(words) > 1 and first.is_dir()):
            return first, " ".join(words[1:])
        if len(words) > 1 and len(first.parts) > 1:
            raise UsageError(f"there is no folder {words[0]}")
    return None, " ".join(words)
