"""The command line: help, wrong usage and options."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from exports import Page, Revision, dumped, history, mended, rows, run_process, tagged, wikibias
from wikibias import __version__
from wikibias.cli import COMMANDS, cli
from wikibias.tags.tagset import tagset_languages


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A dump of three pages with three removals each."""
    return dumped(
        tmp_path, [history(f"Village {n}", 3, topic=n) for n in range(3)], name="village.xml"
    )


def examples(command: str) -> list[list[str]]:
    """Return the arguments of the examples in a command's help."""
    lines = wikibias(command, "--help").out.splitlines()
    return [shlex.split(line)[1:] for line in lines if line.strip().startswith("wikibias ")]


def all_commands(command: click.Command = cli, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with what is typed for it, groups and their commands too."""
    yield " ".join(["wikibias", *names]), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from all_commands(found, *names, name)


def test_every_option_of_every_command_says_what_it_does() -> None:
    found = dict(all_commands())
    assert {"wikibias tags count", "wikibias classify"} <= set(found)
    silent = [
        f"{name} {parameter.opts[0]}"
        for name, command in found.items()
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.help
    ]
    assert silent == []
    assert [name for name, command in found.items() if not command.help] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str) -> None:
    shown = wikibias(command, "--help").well()
    lines = [line.strip() for line in shown.out.splitlines()]
    assert any(line.startswith(f"wikibias {command} ") for line in lines)


def test_the_group_lists_every_command_and_an_example() -> None:
    shown = wikibias("--help").well()
    assert "  wikibias extract " in shown.out
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", shown.out, re.MULTILINE), command


def test_no_arguments_show_the_help_and_are_wrong_usage() -> None:
    shown = wikibias()
    assert shown.code == 2
    assert "Commands:" in shown.out + shown.err
    assert __version__ in wikibias("--version").out


def test_the_examples_of_the_stages_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pages = [history("Moulin", 3, tag="À neutraliser")]
    for example in examples("detect"):
        dumped(tmp_path, pages, example[-1], lang="fr")
    for stage in ("detect", "diff", "filter", "build"):
        for example in examples(stage):
            wikibias(*example).silent()
    assert len(rows(tmp_path / "corpora/fr", "corpus")) > 0


def test_the_examples_of_extract_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dumps").mkdir()
    dumped(tmp_path / "dumps", [history("Mill", 2)])
    for example in examples("extract"):
        if example[-1].endswith(".bz2"):
            dumped(tmp_path, [], example[-1], lang="fr")
        wikibias(*example).well()


# Exit code 2, one line that says what is wrong, and the nearest known name.
@pytest.mark.parametrize(
    ("arguments", "wrong", "nearest"),
    [
        (["extrct", "--lang", "en", "x.xml"], "extrct", "extract"),
        (["bild", "corpora/en"], "bild", "build"),
        (["extract", "--langg", "en", "x.xml"], "--langg", "--lang"),
        (["detect", "--lang", "en", "--worker", "2", "x.xml"], "--worker", "--workers"),
        (["filter", "--revert", "keep", "."], "--revert", "--reverts"),
        (["extract", "--lang", "eng", "x.xml"], "eng", "'en'"),
        (["extract", "--lang", "FR", "x.xml"], "FR", "mean 'fr'"),
        (["extract", "--lang", "english", "x.xml"], "english", "mean 'en'"),
        (["detect", "--lang", "Norwegain", "x.xml"], "Norwegain", "mean 'no'"),
        (["fetch", "--lang", "pt-BR"], "pt-BR", "mean 'pt'"),
        (["fetch", "--lang", "ukwiki"], "ukwiki", "mean 'uk'"),
        (["tags", "show", "--lang", "german"], "german", "mean 'de'"),
        (["detect", "--lang", "en", "--tagset", "pov", "x.xml"], "pov", "'npov'"),
        (["extract", "--lang", "en", "--per", "all", "x.xml"], "all", "any"),
        (["extract", "--lang", "en", "--split", "pages", "x.xml"], "pages", "page"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_unknown_name(
    arguments: list[str], wrong: str, nearest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert nearest in wikibias(*arguments).refused(wrong).replace(wrong, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_language_without_a_tag_set_is_sent_to_the_guide() -> None:
    error = wikibias("extract", "--lang", "ca", "x.xml").refused()
    assert "did you mean" not in error
    assert "wikibias docs tags" in error
    assert "ar, bg, cs, da" in error
    assert wikibias("tags", "show", "--lang", "ca").errors == [error]


def test_an_unknown_language_lists_those_that_have_the_tag_set() -> None:
    wikibias("extract", "--lang", "xx", "x.xml").refused(*tagset_languages())


def test_a_name_that_is_like_no_other_gets_no_wrong_hint() -> None:
    """Letters of a name that are those of some code say nothing."""
    error = wikibias("extract", "--lang", "deutsch", "x.xml").refused("Known: ar, bg")
    assert "did you mean" not in error


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract", "--lang", "en"],
        ["extract", "x.xml"],
        ["extract", "--lang", "en", "--workers", "0", "x.xml"],
        ["extract", "--lang", "en", "--limit", "-1", "x.xml"],
        ["extract", "--lang", "en", "--namespace", "Talk", "x.xml"],
        ["diff"],
        ["diff", "nowhere"],
        ["filter", "."],
        ["build", "."],
    ],
    ids=" ".join,
)
def test_wrong_usage(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wikibias(*arguments).refused()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[filter]\nmin_wikitex = 1\n", "filter.min_wikitext"),
        ("[filters]\nmin_wikitext = 1\n", "'filter'"),
        ("[filter]\nmin_wikitext = 'few'\n", "filter.min_wikitext must be a whole number"),
        ("[build]\ntrain = 0.9\n", "must sum to 1"),
        ("[filter\n", "not valid TOML"),
        (None, "no such file"),
    ],
)
def test_a_wrong_configuration(toml: str | None, said: str, tmp_path: Path, dump: Path) -> None:
    config = tmp_path / "my.toml"
    if toml is not None:
        config.write_text(toml)
    wikibias("extract", "--lang", "en", "--config", config, "-o", tmp_path / "o", dump).refused(
        str(config), said.rsplit(".", maxsplit=1)[-1]
    )
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(("before", "after"), [(["--debug"], []), ([], ["--debug"]), ([], [])])
def test_debug_shows_the_traceback_wherever_it_stands(before: list[str], after: list[str]) -> None:
    ended = run_process(*before, "extract", "--lang", "xx", "x.xml", *after)
    assert ended.code == 2
    assert ("Traceback (most recent call last)" in ended.err) == bool(before or after)
    assert "unknown language 'xx'" in ended.err.splitlines()[-1]
    assert before or after or len(ended.err.splitlines()) == 1


def test_the_result_goes_to_corpora_and_the_language(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)
    ended = wikibias("extract", "--lang", "en", dump).well()
    assert (folder / "corpora/en/manifest.json").is_file()
    assert "corpora/en" in ended.out
    assert [path.name for path in folder.iterdir()] == ["corpora"]


def test_the_tables(dump: Path, tmp_path: Path) -> None:
    ended = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", dump)
    assert ended.err == ""
    assert "3 pages, 18 revisions: 9 tag removals, 9 additions" in ended.out
    for line in (r"tag removals\W+9\W", r"kept\W+9\W", r"biased\W+18\W", r"total\W+36\W"):
        assert re.search(line, ended.out), line


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    """Not from the libraries either: mwxml logs a warning for such a revision."""
    slots = {"mediainfo": "{}"}
    hidden = Revision(tagged(50, 1), hidden=frozenset({"text"}), slots=slots)
    page = Page("Village", [*history("", 2).revisions, hidden])
    path = dumped(tmp_path, [page])
    ended = run_process("extract", "--quiet", "--lang", "en", "-o", tmp_path / "o", path).well()
    assert (ended.out, ended.err) == ("", "")


def test_limit_reads_so_many_pages_of_each_part(tmp_path: Path, dump: Path) -> None:
    talk = Page("Talk first", [Revision("hello")], namespace=1)
    other = dumped(
        tmp_path, [talk, *(history(f"Hill {n}", 1, topic=n) for n in range(4))], name="other.xml"
    )
    command = ("detect", "--lang", "en", "--workers", 1, "--limit", 2, "-o", tmp_path / "o")
    wikibias(*command, dump, other).well()
    read = {(row["part"], row["page_title"]) for row in rows(tmp_path / "o", "transitions")}
    parts = {"village.xml": "Village", "other.xml": "Hill"}
    assert read == {(part, f"{name} {n}") for part, name in parts.items() for n in (0, 1)}
    manifest = json.loads((tmp_path / "o/manifest.json").read_text())
    assert manifest["counts"]["pages"] == 4
    assert manifest["settings"]["detect"]["limit"] == 2


def test_only_articles_are_read_unless_asked(tmp_path: Path) -> None:
    pages = [history("Mill", 1, topic=1), history("Mill", 1, topic=2, namespace=1)]
    path = dumped(tmp_path, pages)
    for options, found in (((), {0}), ((1,), {1}), ((0, 1), {0, 1})):
        asked = [option for number in options for option in ("--namespace", number)]
        out = tmp_path / f"o{options}"
        wikibias("detect", "--lang", "en", *asked, "-o", out, path).well()
        assert {row["namespace"] for row in rows(out, "transitions")} == found


def test_the_order_of_the_namespaces_is_no_matter(tmp_path: Path, dump: Path) -> None:
    command = ("detect", "--lang", "en", "-o", tmp_path / "o", dump)
    wikibias(*command, "--namespace", 0, "--namespace", 1).well()
    wikibias(*command, "--namespace", 1, "--namespace", 0).silent()


def test_per_any_counts_only_the_last_tag_to_go(tmp_path: Path) -> None:
    tags = ("{{POV}}{{Advert}}", "{{Advert}}", "")
    texts = [Revision(tag + mended(number, 1)) for number, tag in enumerate(tags)]
    path = dumped(tmp_path, [Page("Mill", texts)])
    removed = {}
    for per in ("tag", "any"):
        out = tmp_path / per
        wikibias("detect", "--lang", "en", "--per", per, "-o", out, path).well()
        removed[per] = [
            row["after_rev_id"] for row in rows(out, "transitions") if row["kind"] == "removed"
        ]
    assert removed == {"tag": [2, 3], "any": [3]}


def test_reverts_keep(tmp_path: Path) -> None:
    before = Revision(tagged(1, 1))
    path = dumped(tmp_path, [Page("Mill", [before, Revision(mended(1, 1)), before])])
    # Ten days apart is no revert any more: all on one day.
    path.write_bytes(re.sub(rb"\d{4}-\d\d-\d\dT", b"2019-03-01T", path.read_bytes()))
    for policy, kept in (("drop", 0), ("keep", 1)):
        out = tmp_path / policy
        wikibias("extract", "--lang", "en", "--reverts", policy, "-o", out, path).well()
        assert len(rows(out, "edits")) == kept


def test_split_by_sentence(tmp_path: Path) -> None:
    path = dumped(tmp_path, [history("Mill", 20)])
    for split, full in (("page", 1), ("sentence", 3)):
        out = tmp_path / split
        wikibias("extract", "--lang", "en", "--split", split, "-o", out, path).well()
        assert len({row["split"] for row in rows(out, "corpus")}) == full


def test_a_name_with_odd_characters(tmp_path: Path) -> None:
    path = dumped(tmp_path, [history("Mill", 1)], name="été [1] a|b 'c'.xml")
    wikibias("extract", "--lang", "en", "-o", tmp_path / "o", path).well()
    assert {row["part"] for row in rows(tmp_path / "o", "corpus")} == {path.name}


def test_two_parts_of_the_same_name(tmp_path: Path) -> None:
    for number, name in enumerate(("one", "two")):
        (tmp_path / name).mkdir()
        pages = [history(f"Mill {name}", 2, topic=number)]
        dumped(tmp_path / name, pages, first_id=1 + 100 * number)
    out = tmp_path / "o"
    command = ("extract", "--lang", "en", "--workers", 1, "-o", out)
    wikibias(*command, *tmp_path.glob("*/a.xml")).well()
    assert {row["page_title"] for row in rows(out, "edits")} == {"Mill one", "Mill two"}
