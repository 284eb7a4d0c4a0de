"""The stage `filter`, one part at a time."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from exports import (
    Page,
    Revision,
    body,
    dumped,
    export,
    history,
    mended,
    result_of,
    rows,
    tagged,
    wikibias,
)
from made_edits import corpus
from results import extract, manifest_of
from wikibias.config.choices import RevertPolicy
from wikibias.edits.filters import PAPER_FILTERS, filter_names
from wikibias.pipeline.filter import Judged, judged_edits
from wikibias.pipeline.manifest import load_recorded, parts_of, settings_of

# The removal is undone at once, and comes again.
UNDONE = Page(
    "Hill",
    [Revision(tagged(1, 1)), Revision(mended(1, 1)), Revision(tagged(1, 1)), Revision("short")],
)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Edits of which one is kept, one was undone, and one blanked the page."""
    # In these dumps ten days lie between two revisions.
    (tmp_path / "my.toml").write_text("[reverts]\ndays = 15\n")
    config, pages = ("--config", tmp_path / "my.toml"), [history("Mill", 1), UNDONE]
    out = result_of(tmp_path, pages, "detect", *config)
    wikibias("diff", out).well()
    return out


def verdicts(out: Path) -> dict[str, Any]:
    return dict(manifest_of(out)["verdicts"])


def test_each_edit_is_kept_or_rejected_with_a_reason(out: Path) -> None:
    assert wikibias("filter", "--workers", 1, out).code == 0
    compared = [row["after_rev_id"] for row in rows(out, "diffs")]
    kept, rejected = rows(out, "edits"), rows(out, "rejects")
    assert sorted(row["after_rev_id"] for row in kept + rejected) == sorted(compared)
    assert {row["verdict"] for row in kept} == {"kept"}
    assert [row["verdict"] for row in rejected] == ["reverted", "redirect_or_blank"]
    # Filters that dropped nothing are counted too, in their order.
    assert list(verdicts(out)) == [*filter_names("default"), "kept"]
    assert sum(verdicts(out).values()) == len(rows(out, "diffs")) == 3
    again = ("filter", "--workers", 1, "--restart", out)
    assert wikibias(*again, "--filters", "redirect_or_blank").code == 0
    assert verdicts(out) == {"redirect_or_blank": 1, "kept": 2}
    assert wikibias(*again, "--reverts", "keep").code == 0
    assert (verdicts(out)["reverted"], verdicts(out)["kept"]) == (0, 2)


# Removals that repair nothing, each on a page of its own, and their verdicts; the verdict of the
# paper's filters behind it. In these dumps ten days lie between two revisions.
LONG = "\n".join(
    f"The {number}th hall of the town is the finest that anybody ever saw." for number in range(30)
)
NUMBERS = f"{body(7)}\nThe hall of the town holds some 120 people on a good day.\n"
NO_REPAIRS: dict[str, tuple[list[str], str, str]] = {
    "Mill": ([tagged(1, 1), mended(1, 1)], "kept", "kept"),
    "Restored": (
        [mended(1, 2), tagged(1, 2), tagged(1, 2) + "The hall is also old.", mended(1, 2)],
        "restores_earlier",
        "kept",
    ),
    "Swapped": ([tagged(1, 3), "{{Weasel}}\n" + mended(1, 3)], "tag_swapped", "kept"),
    "Left": (["{{Weasel}}\n" + tagged(1, 4), "{{Weasel}}\n" + mended(1, 4)], "tags_left", "kept"),
    "Back": ([tagged(1, 5), mended(1, 5), "{{POV}}\n" + mended(2, 5)], "tag_back_soon", "kept"),
    "Imported": ([tagged(1, 6), mended(1, 6)], "not_parent", "kept"),
    "Replaced": (["{{POV}}\n" + LONG, mended(1, 8)], "page_replaced", "kept"),
    "Numbers": (
        ["{{POV}}\n" + NUMBERS, NUMBERS.replace("120", "140")],
        "number_only",
        "punctuation_case",
    ),
}


@pytest.fixture(scope="module")
def no_repairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Edits that the paper's filters mostly keep, extracted."""
    folder = tmp_path_factory.mktemp("no-repairs")
    pages = [
        Page(title, [Revision(text) for text in texts])
        for title, (texts, _, _) in NO_REPAIRS.items()
    ]
    xml = export(pages)
    at = xml.index(b"<parentid>", xml.index(b"<title>Imported"))
    (folder / "a.xml").write_bytes(xml[:at] + xml[at:].replace(b"<parentid>", b"<parentid>9", 1))
    (folder / "my.toml").write_text("[filter]\ntag_back_days = 11\n[reverts]\ndays = 1\n")
    options = ("--config", folder / "my.toml", "--filters", "strict")
    extract(folder / "o", *options, folder / "a.xml").well()
    return folder


def by_page(out: Path) -> dict[str, str]:
    return {row["page_title"]: row["verdict"] for row in rows(out, "edits") + rows(out, "rejects")}


def test_removals_that_are_no_repairs_have_verdicts_of_their_own(no_repairs: Path) -> None:
    planned = {title: verdict for title, (_, verdict, _) in NO_REPAIRS.items()}
    assert by_page(no_repairs / "o") == planned


def test_the_filters_of_the_paper_do_not_ask_for_them(no_repairs: Path) -> None:
    out = no_repairs / "o"
    again = ("filter", "--restart", "--workers", 1, "--config", no_repairs / "my.toml")
    assert wikibias(*again, "--filters", "paper", out).code == 0
    planned = {title: verdict for title, (_, _, verdict) in NO_REPAIRS.items()}
    assert by_page(out) == planned
    assert list(verdicts(out)) == [*PAPER_FILTERS, "kept"]


def judged(folder: Path, reverts: RevertPolicy | None = None) -> list[Judged]:
    """Return what a folder gives."""
    manifest = load_recorded(folder)
    parts = [part.name for part in parts_of(manifest)]
    return list(judged_edits(folder, settings_of(folder, manifest), parts, reverts))


def test_the_verdicts_are_those_of_the_run() -> None:
    verdicts = [reason for _, reason in judged(corpus())]
    dropped = sorted(row["verdict"] for row in rows(corpus(), "rejects"))
    assert sorted(reason for reason in verdicts if reason) == dropped
    assert verdicts.count(None) == len(rows(corpus(), "edits"))


def test_without_diffs_the_same_edits_are_compared_now(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(corpus(), bare)
    shutil.rmtree(bare / "diffs")
    assert judged(bare) == judged(corpus())


@pytest.mark.parametrize("compared", [True, False])
def test_an_edit_without_texts_has_the_verdict_of_the_run(compared: bool, tmp_path: Path) -> None:
    revisions = [Revision("Elm", lost=True), Revision("Mill", lost=True, comment="NPOV")]
    dump, out = dumped(tmp_path, [Page("Elm", revisions)]), tmp_path / "o"
    extract(out, "--signal", "summary", dump, command="extract" if compared else "detect")
    assert [reason for _, reason in judged(out)] == ["unknown_text"]


def test_reverted_edits_can_be_kept() -> None:
    assert any(reason == "reverted" for _, reason in judged(corpus()))
    assert not any(reason == "reverted" for _, reason in judged(corpus(), "keep"))
