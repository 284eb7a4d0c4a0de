"""What a card says of a run is true of it, and what it must not say is not there."""

import re
import shutil
from dataclasses import asdict
from datetime import date
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from exports import wikibias
from paths import ROOT, SAMPLES, cases
from wikibias import __version__
from wikibias.config.intents import intents
from wikibias.config.thresholds import Config
from wikibias.corpus import description
from wikibias.corpus.card import (
    CLASSES,
    TABLES,
    columns,
    corpus_card,
    corpus_metadata,
    features,
    write_card,
)
from wikibias.corpus.composition import Composition
from wikibias.corpus.description import INTENTS, SAME_TEXT, describe, intents_quality, licence
from wikibias.edits.filters import FILTERS, OTHER_FILTERS, filter_words
from wikibias.kits.document import markdown
from wikibias.pipeline.manifest import load_recorded
from wikibias.pipeline.settings import make_settings


def manifest(lang: str, composition: Composition | None = None, **choices: Any) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in choices.items()
    }
    file = {"part": "a.bz2", "path": "/in/a.bz2", "size": 1, "sha256": "0" * 64, "error": None}
    return {
        "settings": make_settings(lang, Config(), **chosen).as_dict(),
        "inputs": [{**file, "wiki": f"{lang}wiki"}],
        "verdicts": {"kept": 2},
        "corpus": asdict(composition or Composition(removed=2, added=2, splits={"train": 4})),
    }


@pytest.mark.parametrize("case", cases("descriptions"))
def test_what_it_says_is_what_was_done(case: dict[str, Any]) -> None:
    made = Composition(removed=3, added=2, pairings=case.get("rows", {}))
    found = manifest(case["lang"], made, **case.get("settings", {}))
    data = corpus_metadata(found, {"sentences": {}}, Path())
    shown = markdown(corpus_card(found, []), data)
    for words in case["says"]:
        assert words in shown, words
    for words in case["not"]:
        assert words not in shown, words


def test_what_a_paper_needs_is_on_the_card_and_on_the_page(tmp_path: Path) -> None:
    dump, out = next(SAMPLES.glob("demoenwiki-*.7z")), tmp_path / "en"
    # A name without a date.
    shutil.copy(dump, tmp_path / "history.xml.7z")
    wikibias("extract", "-q", "--lang", "en", "-o", out, tmp_path / "history.xml.7z").well()
    wikibias("report", out).well()
    page = unescape((out / "report.html").read_text("utf-8"))
    for shown in ((out / "README.md").read_text("utf-8"), page):
        assert f"wikibias {__version__} from the revision history of demoenwiki" in shown
        assert "(newest revision of 2025-11-20). Of 28 edits that took neutrality tags out" in shown
        assert ", 14 were kept; filters dropped the others: earlier text restored 4," in shown
        assert "They gave 69 biased and 69 neutral sentences of 12 pages, split by page" in shown
        assert "an edit that brought an earlier revision back, to the letter" in shown
        assert f"title = {{wikibias}}, version = {{{__version__}}}" in shown
    found = load_recorded(out)
    found["inputs"][0]["part"] = "demoenwiki-20260101-pages-meta-history.xml.7z"
    assert "of demoenwiki (dump of 2026-01-01). Of 28" in markdown(corpus_card(found, []))


@pytest.mark.parametrize("name", [*FILTERS.names(), *OTHER_FILTERS])
def test_each_filter_is_told_in_words(name: str) -> None:
    assert re.fullmatch(r"(?:an|a|what|the) [^\n]+\.", filter_words(name))


def test_days_and_servers_name_the_licence() -> None:
    made = Composition(first_day="2006-01-02", last_day="2024-05-06", sites=["fr.wikipedia.org"])
    found = describe(manifest("fr", made))
    assert found.period == (date(2006, 1, 2), date(2024, 5, 6))
    assert found.licence.ids == ("cc-by-sa-3.0", "cc-by-sa-4.0", "gfdl")


@pytest.mark.parametrize(
    ("number", "size"), [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (250_000, "100K<n<1M")]
)
def test_size_as_the_hub_sorts(number: int, size: str) -> None:
    assert describe(manifest("en", Composition(removed=number))).size == size


def test_a_manifest_of_an_older_version_leaves_things_open() -> None:
    old = manifest("en")
    for name in ("pairings", "first_day", "last_day", "sites", "tiers"):
        del old["corpus"][name]
    found = describe(old)
    assert found.period is None
    assert found.licence.ids == ("unknown",)
    assert found.meanings[0].rows == {}
    assert "not recorded" in markdown(corpus_card(old, []))


def test_what_an_increment_found_is_told() -> None:
    grown = {
        **manifest("en"),
        "repeated": {"removed": 1400, "added": 100},
        "gone_pages": [{"page_id": 1}],
        "renamed_pages": [],
    }
    limits = " ".join(describe(grown).limits)
    assert "count once: 1,500." in limits
    assert "are still here: 1." in limits
    assert "another title" not in limits
    cut = {**grown, "gone_pages": [{"page_id": number} for number in range(100)]}
    assert "are still here: at least 100." in " ".join(describe(cut).limits)
    assert "count once" not in " ".join(describe({**grown, "repeated": {"removed": 0}}).limits)


def test_a_language_without_a_code_is_not_called_one() -> None:
    odd = manifest("en")
    odd["settings"]["detect"]["lang"] = "simple-x"
    assert describe(odd).language is None


PAGE = (ROOT / "docs" / "quality.md").read_text(encoding="utf-8")


def test_tiers() -> None:
    rows = re.findall(r"^\| (high|medium|low) \| ([\d,]+) \| ([\d,]+) \|", PAGE, re.MULTILINE)
    found = {
        tier: tuple(int(number.replace(",", "")) for number in numbers) for tier, *numbers in rows
    }
    assert found == {tier: tuple(of) for tier, of in description.TIERS.items()}


def test_sentences() -> None:
    row = re.search(r"^\| `unseen` \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)
    assert row is not None
    known = description.SPLIT.values()
    assert [int(number) for number in row.groups()] == [sum(of) for of in zip(*known, strict=True)]
    (listed,) = re.findall(r"all texts of `unseen` right in ([a-z, \n]+?), all but one", PAGE)
    whole = {lang for lang, (texts, right) in description.SPLIT.items() if texts == right}
    assert {*re.findall(r"\b(?!and\b)[a-z]{2}\b", listed)} == whole


def test_alignment() -> None:
    _, held = PAGE.split("alignment_held.toml\n")
    rows = re.findall(r"^\| (en|fr|bg) \d+ \| \d+ \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|", held, re.M)
    assert {lang: float(f1) for lang, f1 in rows} == description.ALIGNED


def test_a_run_with_the_defaults_differs_in_its_signal_alone_from_what_was_judged() -> None:
    """The defaults are declared with the settings, on a floor above; these here must follow."""
    settings = make_settings("en", Config()).as_dict()
    _, judged, *_ = description.quality(settings, ["removal-edit"])
    assert "by tier: high " in judged
    assert judged.endswith("This corpus differs: found by tag.")


OLD, MIDDLE, NEW = date(2006, 1, 1), date(2015, 1, 1), date(2024, 1, 1)


@pytest.mark.parametrize(
    ("oldest", "newest", "ids", "eras"),
    [
        (OLD, OLD, ("cc-by-sa-3.0", "gfdl"), ["before"]),
        (OLD, MIDDLE, ("cc-by-sa-3.0", "gfdl"), ["before", "from"]),
        (MIDDLE, MIDDLE, ("cc-by-sa-3.0", "gfdl"), ["from"]),
        (MIDDLE, NEW, ("cc-by-sa-3.0", "cc-by-sa-4.0", "gfdl"), ["from", "since"]),
        (NEW, NEW, ("cc-by-sa-4.0", "gfdl"), ["since"]),
        (None, None, ("cc-by-sa-3.0", "cc-by-sa-4.0", "gfdl"), ["before", "from", "since"]),
        (date(2009, 6, 14), date(2009, 6, 15), ("cc-by-sa-3.0", "gfdl"), ["before", "from"]),
        (date(2023, 6, 7), date(2023, 6, 7), ("cc-by-sa-4.0", "gfdl"), ["since"]),
        (date(2023, 6, 6), date(2023, 6, 6), ("cc-by-sa-3.0", "gfdl"), ["from"]),
    ],
)
def test_the_days_of_the_revisions_decide(
    oldest: date | None, newest: date | None, ids: tuple[str, ...], eras: list[str]
) -> None:
    found = licence(["fr.wikipedia.org"], oldest, newest)
    assert found.ids == ids
    named = [said.split()[1] for said in found.sentences if said.startswith("Saved ")]
    assert named == eras


@pytest.mark.parametrize("site", ["wiki.example.org", "en.wikinews.org", "wikipedia.org.example"])
def test_other_wikis_have_their_own(site: str) -> None:
    found = licence(["fr.wikipedia.org", site], OLD, NEW)
    assert found.ids == ("other",)
    assert site in " ".join(found.sentences)
    assert "CC BY-SA" not in " ".join(found.sentences)


def test_without_an_address_nothing_is_claimed() -> None:
    found = licence([], MIDDLE, MIDDLE)
    assert found.ids == ("unknown",)
    assert "not known" in found.sentences[0]


SETTINGS = {"detect": {"lang": "en", "rules": "robust"}, "filter": {"filters": "default"}}


def test_every_shipped_intent_has_the_figures_of_the_page() -> None:
    row = r"^\| ([a-z ]+) \| (\d+) of (\d+) \| \.\d+ \(\.(\d+) to \.(\d+)\) \|"
    found = {
        name.replace(" ", "-"): (int(number), int(right), int(low), int(high))
        for name, right, number, low, high in re.findall(row, PAGE, re.MULTILINE)
    }
    assert found == {name: tuple(judged) for name, judged in INTENTS.items()}
    assert {*INTENTS} <= {*intents()}


def test_sentences_whose_words_stayed() -> None:
    page = " ".join(PAGE.split())
    (same, of_same), (other, of_other) = SAME_TEXT["same_text"], SAME_TEXT["other"]
    assert f"{of_same} of the {same} whose words stayed" in page
    assert f"and {of_other} of {other} of the others" in page


def test_what_is_said_of_a_corpus() -> None:
    said = intents_quality(SETTINGS, ["citation", "copy-edit"])
    assert said[1] == "citation: 57 of 60 positives right, 95 % (95 % interval 86 to 98 %)."
    assert "Anarchism" in said[0]
    assert "one judge, a language model" in said[0]
    assert "differs" not in said[0]
    assert said[2] == "Not judged at all: copy-edit."
    assert "relation is same_text" in said[3]
    other = {"detect": {"lang": "fr", "rules": "printed"}, "filter": {"filters": "paper"}}
    (where, _) = intents_quality(other, ["clarification"])
    assert where.endswith("This corpus differs: language fr; rules printed; filters paper.")
    assert intents_quality(SETTINGS, []) == []


COMPOSITION = Composition(
    removed=1200, added=700, unchanged=500, pages=9, splits={"train": 2400}, notes=["a | b"]
)
FILE = {"size": 12_345, "sha256": "0123456789abcdef" * 4, "error": None, "wiki": "frwiki"}


def told_of(*inputs: dict[str, Any], lang: str = "fr", **choices: Any) -> dict[str, Any]:
    found = manifest(lang, COMPOSITION, **choices)
    return {**found, "inputs": list(inputs), "verdicts": {"reverted": 3, "kept": 1200}}


def card(told: dict[str, Any]) -> str:
    with TemporaryDirectory() as folder:
        for name in ("corpus/train", "aligned/pairs"):
            (Path(folder) / name).parent.mkdir()
            (Path(folder) / f"{name}.parquet").touch()
        write_card(Path(folder), told)
        return (Path(folder) / "README.md").read_text(encoding="utf-8")


def made(*inputs: dict[str, Any], **choices: Any) -> str:
    return card(told_of(*inputs, **choices))


def test_what_it_says() -> None:
    shown = made({**FILE, "part": "a.xml.bz2"}, seed=42, families=("pov",))
    for words in (
        "\nlanguage:\n  - fr\n",
        "out: frwiki\n",
        "| removed | biased | 1,200 |",
        "| total | | 2,400 |",
        "train 2,400",
        "| a.xml.bz2 | 12,345 | 0123456789abcdef | whole |",
        "| removal reverted | -3 |\n| kept | 1,200 |",
        "Seed 42.",
        "; only pov.",
        "no page stands in two splits",
        "        path: corpus/train.parquet\n",
    ):
        assert words in shown, words
    # `datasets` reads no empty splits.
    for words in ("pairs.parquet", "dev.parquet"):
        assert words not in shown


def test_pairs_are_a_configuration_of_their_own() -> None:
    told = told_of({**FILE, "part": "a"})
    told["corpus"]["pairs"] = 5
    shown = card(told)
    assert "      - split: pairs\n        path: aligned/pairs.parquet\n" in shown


def test_a_part_of_several_files_lists_each() -> None:
    files = [{**FILE, "path": f"/in/a{n}.bz2"} for n in (1, 2)]
    shown = made({"part": "a.bz2", "wiki": "frwiki", "error": None, "files": files})
    assert shown.index("| a1.bz2 |") < shown.index("| a2.bz2 |")


def test_what_dump_and_manifest_say_is_text() -> None:
    """Anybody may make a dump."""
    wiki = '"}\n---\n<script>alert(1)</script>[x](javascript:y)'
    told = told_of({**FILE, "wiki": wiki, "part": "a"})
    told["settings"]["detect"] |= {"lang": "fr\n---\n# x", "tagset": "<b>|", "families": ["[y](z)"]}
    told["verdicts"] = {"<i>": 3}
    shown = card(told)
    _, block, text = shown.split("---\n", 2)
    assert "language:" not in block
    for markup in ("<script", "[x](", "<b>", "<i>", "[y](z)"):
        assert markup not in text
    assert shown.split("\n").count("---") == 2


def test_the_language_of_norway_is_no_falsehood() -> None:
    assert '\nlanguage:\n  - "no"\n' in made(lang="no")


def test_every_column_has_a_type() -> None:
    for config in TABLES:
        names = [column.name for column in columns(config, with_editors=True)]
        assert [each["name"] for each in features(config, with_editors=True)] == names
        assert "editor" not in {each["name"] for each in features(config, with_editors=False)}


def test_classes_lists_and_times() -> None:
    found = {each["name"]: each for each in features("sentences", with_editors=False)}
    assert found["label"]["dtype"] == {"class_label": {"names": {"0": "neutral", "1": "biased"}}}
    assert found["tags"] == {"name": "tags", "list": "string"}
    assert found["after_timestamp"]["dtype"] == "timestamp[ms, tz=UTC]"
    assert found["page_id"]["dtype"] == "int64"
    assert set(CLASSES) <= set(found)
