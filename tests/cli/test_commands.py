"""The command line: help, wrong usage and options."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from exports import (
    Page,
    Revision,
    dumped,
    export,
    history,
    packed,
    rows,
    run_process,
    tagged,
    wikibias,
)
from wikibias import __version__
from wikibias.cli import COMMANDS, OLD_NAMES, OLD_OPTIONS, PANELS, SYNONYMS, cli
from wikibias.tags.tagset import tagset_languages


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A dump of three pages with three removals each."""
    pages = [history(f"Village {n}", 3, topic=n) for n in range(3)]
    return dumped(tmp_path, pages, name="été [1] a|b 'c'.xml")


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


def test_every_command_has_an_example_whose_options_exist() -> None:
    for name, command in [*all_commands()][1:]:
        shown = wikibias(*name.split()[1:], "--help").well().out
        found = re.findall(rf"(?m)^ +{name} .*", shown)
        assert found, name
        options = {word for line in found for word in re.findall(r" (--?[a-z][\w-]*)", line)}
        known = {option for each in command.params for option in each.opts}
        assert isinstance(command, click.Group) or options <= known, name


def test_the_group_lists_every_command_and_an_example() -> None:
    shown = wikibias("--help").well()
    assert "  wikibias extract " in shown.out
    every = wikibias("--help-all").well()
    for panel, commands in PANELS.items():
        for command in commands:
            assert re.search(rf"^  {command} ", every.out, re.MULTILINE), command
            assert (f"\n  {command} " in shown.out) == (f"\n{panel}:" in shown.out)


def test_options_of_an_earlier_version_work_unlisted(dump: Path, tmp_path: Path) -> None:
    for command, old in OLD_OPTIONS.items():
        found = cli.get_command(click.Context(cli), command)
        leaves = getattr(found, "commands", {command: found}).values()
        names = {name for leaf in leaves for each in leaf.params for name in each.opts}
        assert {*old.values()} <= names, command
        assert not {*old} & names, command
    wikibias(
        "extract", "-q", "--rules=printed", "--signal", "citation", "-o", tmp_path / "a", dump
    ).well()
    settings = json.loads((tmp_path / "a/manifest.json").read_text())["settings"]
    assert settings["detect"]["rules"] == "printed"
    wikibias("fetch", "--family", "stub").refused("'--kind'", "stubs")


def test_no_arguments_show_the_help_and_are_wrong_usage() -> None:
    shown = wikibias()
    assert shown.code == 2
    assert "Start:" in shown.out + shown.err
    assert __version__ in wikibias("--version").out


def test_the_examples_of_the_stages_work(cwd: Path) -> None:
    pages = [history("Moulin", 3, tag="À neutraliser")]
    for example in examples("detect"):
        dumped(cwd, pages, example[-1], lang="fr")
    for stage in ("detect", "diff", "filter", "build"):
        for example in examples(stage):
            wikibias(*example).silent()
    assert len(rows(cwd / "corpora/fr", "corpus")) > 0


def test_the_examples_of_extract_work(cwd: Path) -> None:
    Path("dumps").mkdir()
    dumped(cwd / "dumps", [history("Mill", 2)])
    for example in examples("extract"):
        if example[-1].endswith(".bz2"):
            dumped(cwd, [], example[-1], lang="fr")
        wikibias(*example).well()


def test_what_people_call_a_command_is_no_command_and_leads_to_one() -> None:
    assert {*SYNONYMS.values()} <= {*COMMANDS}
    assert not {*SYNONYMS} & {*cli.list_commands(click.Context(cli)), *OLD_NAMES}


@pytest.mark.parametrize(
    ("declared", "name", "lang"),
    [
        (b'xml:lang="fr"', "a.xml.bz2", "fr"),
        (b'xml:lang="pt-BR"', "a.xml", "pt"),
        (b'xml:lang="nb"', "nowiki-20260101-pages-meta-history.xml", "no"),
        (b"", "frwiki-20260101-pages-meta-history.xml", "fr"),
    ],
)
def test_the_dump_says_its_language(cwd: Path, declared: bytes, name: str, lang: str) -> None:
    text = export([history("Mill", 2)]).replace(b'xml:lang="en"', declared)
    Path(name).write_bytes(packed(text, "bz2" if name.endswith("bz2") else "xml"))
    ended = wikibias("detect", name).well()
    assert ended.err.splitlines()[0] == f"--lang {lang}, as the dump says"
    assert f"Result: corpora/{lang}" in ended.out
    assert Path(f"corpora/{lang}/manifest.json").is_file()
    assert "--lang" not in wikibias("-q", "detect", name).well().err.partition("Warning")[0]
    # What is given wins, with a warning.
    other = wikibias("detect", "--lang", "de", "-o", "o", name).well().err
    assert "as the dump says" not in other
    assert ("if that is a mistake" in other) == bool(declared)
    assert declared != b'xml:lang="fr"' or "--lang fr" in other


def test_the_wiki_of_another_language_is_refused(cwd: Path) -> None:
    for lang in ("en", "fr"):
        dumped(cwd, [history("Mill", 2)], f"{lang}wiki-20260101-pages-meta-history.xml", lang=lang)
    english, french = sorted(path.name for path in cwd.iterdir())
    for words in (("--lang", "en", french), ("--lang", "fr", french, english), (english, french)):
        said = wikibias("extract", *words).refused("is of a wiki in", "give the dumps of one wiki")
        assert "--lang-anyway" in said
    wikibias("detect", "-q", "--lang", "en", "--lang-anyway", french).well()
    # A wiki of a language that wikibias does not have may be read as one that it has, and one that
    # says `en` and is called otherwise as another.
    text = Path(french).read_bytes()
    Path("b.xml").write_bytes(text.replace(b'"fr"', b'"ch"').replace(b"inventedfr", b"invented"))
    Path("c.xml").write_bytes(text.replace(b'"fr"', b'"en"').replace(b"inventedfr", b"shinto"))
    for name in ("b", "c"):
        wikibias("detect", "-q", "--lang", "ja", "-o", name, f"{name}.xml").well()


def test_a_dump_that_does_not_say_its_language(cwd: Path) -> None:
    text = export([history("Mill", 2)])
    Path("a.xml").write_bytes(text.replace(b'xml:lang="en"', b""))
    Path("b.xml").write_bytes(text.replace(b'xml:lang="en"', b'xml:lang="eo"'))
    for dump in ("-", "a.xml"):
        wikibias("extract", dump, stdin=text).refused("the language of " + dump, "--lang fr")
    for command in ("extract", "detect"):
        wikibias(command, "none.xml").refused("none.xml: no such file", alone=True)
    # One of several that is not there keeps nobody from asking the others.
    Path("d.xml").write_bytes(text)
    assert "--lang en, as the dump says" in wikibias("detect", "none.xml", "d.xml").err
    wikibias("extract", "b.xml").refused("Esperanto (eo)", "write configs/eo.toml", alone=True)


def test_several_values_stand_with_commas_or_one_by_one(dump: Path, tmp_path: Path) -> None:
    asked = {"--signal": "tag,summary", "--pairing": "removal-edit,addition-edit"}
    asked |= {"--namespace": "1,0", "--block": "list,paragraph", "--family": "pov,coi"}
    again = [
        word for name, all_ in asked.items() for one in all_.split(",") for word in (name, one)
    ]
    commas = [word for option in asked.items() for word in option]
    for words, out in ((commas, tmp_path / "a"), (again, tmp_path / "b")):
        wikibias("-q", "extract", *words, "-o", out, dump).well()
    a, b = (json.loads((tmp_path / out / "manifest.json").read_text()) for out in "ab")
    assert a["settings"] == b["settings"]
    assert a["settings"]["detect"]["namespaces"] == [0, 1]
    wikibias("extract", "--signal", "tag,sumary", dump).refused("did you mean 'summary'")
    wikibias("extract", "--namespace", "0,x", dump).refused("'x' is not a valid integer")
    shown = wikibias("tags", "show", "--lang", "en", "--family", "pov,coi").well().out
    both = [word for name in ("pov", "coi") for word in ("--family", name)]
    assert shown == wikibias("tags", "show", "--lang", "en", *both).out


def test_a_language_without_a_tag_set_is_sent_to_the_guide() -> None:
    error = wikibias("extract", "--lang", "ca", "x.xml").refused("wikibias docs tags")
    assert wikibias("tags", "show", "--lang", "ca").errors == [error]


@pytest.mark.parametrize("lang", ["ca", "xx", "deutsch", "all"])
def test_a_language_that_is_like_no_other_gets_no_wrong_hint(lang: str) -> None:
    """Letters of a name that are those of some code say nothing."""
    error = wikibias("extract", "--lang", lang, "x.xml").refused(", ".join(tagset_languages()))
    assert "did you mean" not in error


@pytest.mark.parametrize(("before", "after"), [(["--debug"], []), ([], ["--debug"]), ([], [])])
def test_debug_shows_the_traceback_wherever_it_stands(before: list[str], after: list[str]) -> None:
    ended = wikibias(*before, "extract", "--lang", "xx", "x.xml", *after)
    assert ended.code == 2
    assert ("Traceback (most recent call last)" in ended.err) == bool(before or after)
    assert "unknown language 'xx'" in ended.err.splitlines()[-1]
    assert before or after or len(ended.err.splitlines()) == 1


def test_the_tables_of_a_dump_with_an_odd_name(dump: Path, tmp_path: Path) -> None:
    ended = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", dump).silent()
    assert "3 pages, 18 revisions: 9 tag removals, 9 additions" in ended.out
    for line in (r"tag removals\W+9\W", r"kept\W+9\W", r"biased\W+18\W", r"total\W+36\W"):
        assert re.search(line, ended.out), line
    assert {row["part"] for row in rows(tmp_path / "o", "corpus")} == {dump.name}


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    """Not from the libraries either: mwxml logs a warning for such a revision."""
    slots = {"mediainfo": "{}"}
    hidden = Revision(tagged(50, 1), hidden=frozenset({"text"}), slots=slots)
    page = Page("Village", [*history("", 2).revisions, hidden])
    path = dumped(tmp_path, [page])
    options = ("--quiet", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    assert run_process("extract", *options, path).silent().out == ""
