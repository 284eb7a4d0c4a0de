"""The command line: help, wrong usage, options, and the manifest."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet as pq
import pytest

from exports import (
    Page,
    Revision,
    export,
    files,
    history,
    mended,
    rows,
    run_process,
    sha256,
    tagged,
    wikibias,
)
from wikibias import __version__
from wikibias.cli import COMMANDS, cli
from wikibias.config.languages import languages
from wikibias.tags.tagset import load_tagset

TRANSITION_COLUMNS = (
    "wiki lang part page_id page_title namespace kind tags aliases before_rev_id after_rev_id "
    "before_timestamp after_timestamp comment editor_kind reverted diff_url before_text after_text"
).split()


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A dump of three pages with three removals each."""
    path = tmp_path / "village.xml"
    path.write_bytes(export([history(f"Village {n}", 3, topic=n) for n in range(3)]))
    return path


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


class TestHelp:
    def test_every_option_of_every_command_says_what_it_does(self) -> None:
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
    def test_every_command_has_an_example(self, command: str) -> None:
        shown = wikibias(command, "--help")
        assert shown.code == 0
        lines = [line.strip() for line in shown.out.splitlines()]
        assert any(line.startswith(f"wikibias {command} ") for line in lines)

    def test_the_group_lists_every_command_and_an_example(self) -> None:
        shown = wikibias("--help")
        assert shown.code == 0
        assert "  wikibias extract " in shown.out
        for command in COMMANDS:
            assert re.search(rf"^  {command} ", shown.out, re.MULTILINE), command

    def test_no_arguments_show_the_help_and_are_wrong_usage(self) -> None:
        shown = wikibias()
        assert shown.code == 2
        assert "Commands:" in shown.out + shown.err

    def test_version(self) -> None:
        shown = wikibias("--version")
        assert shown.code == 0
        assert __version__ in shown.out

    def test_the_examples_of_the_stages_work_one_after_the_other(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        pages = [history("Moulin", 3, tag="À neutraliser")]
        for example in examples("detect"):
            Path(example[-1]).write_bytes(export(pages, lang="fr"))
        for stage in ("detect", "diff", "filter", "build"):
            for example in examples(stage):
                ended = wikibias(*example)
                assert (ended.code, ended.err) == (0, ""), example
        assert len(rows(tmp_path / "corpora/fr", "corpus")) > 0

    def test_the_examples_of_extract_work(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("dumps").mkdir()
        Path("dumps/a.xml").write_bytes(export([history("Mill", 2)]))
        for example in examples("extract"):
            if example[-1].endswith(".bz2"):
                Path(example[-1]).write_bytes(export([], lang="fr"))
            assert wikibias(*example).code == 0, example


class TestMistakes:
    """Exit code 2, one line that says what is wrong, and the nearest known name."""

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
        self,
        arguments: list[str],
        wrong: str,
        nearest: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        ended = wikibias(*arguments)
        assert ended.code == 2
        assert len(ended.errors) == 1
        assert wrong in ended.errors[0]
        assert nearest in ended.errors[0].replace(wrong, "", 1)
        assert "Traceback" not in ended.err
        assert list(tmp_path.iterdir()) == []

    def test_a_language_without_a_tag_set_is_sent_to_the_guide(self) -> None:
        ended = wikibias("extract", "--lang", "ca", "x.xml")
        assert ended.code == 2
        (error,) = ended.errors
        assert "did you mean" not in error
        assert "docs/how-to/add-a-tag-set.md" in error
        assert "ar, bg, cs, da" in error
        assert wikibias("tags", "show", "--lang", "ca").errors == [error]

    def test_an_unknown_language_lists_the_known_ones(self) -> None:
        ended = wikibias("extract", "--lang", "xx", "x.xml")
        assert ended.code == 2
        assert all(code in ended.err for code in languages())

    def test_a_name_that_is_like_no_other_gets_no_wrong_hint(self) -> None:
        """Letters of a name that are those of some code say nothing."""
        ended = wikibias("extract", "--lang", "deutsch", "x.xml")
        assert ended.code == 2
        assert "did you mean" not in ended.err
        assert "Known: ar, bg" in ended.err

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
    def test_wrong_usage(
        self, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        ended = wikibias(*arguments)
        assert ended.code == 2
        assert len(ended.errors) == 1
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
    def test_a_wrong_configuration_file(
        self, toml: str | None, said: str, tmp_path: Path, dump: Path
    ) -> None:
        config = tmp_path / "my.toml"
        if toml is not None:
            config.write_text(toml)
        ended = wikibias("extract", "--lang", "en", "--config", config, "-o", tmp_path / "o", dump)
        assert ended.code == 2
        assert len(ended.errors) == 1
        assert str(config) in ended.err
        assert said.rsplit(".", maxsplit=1)[-1] in ended.err
        assert not (tmp_path / "o").exists()


class TestDebug:
    MISTAKE = ("extract", "--lang", "xx", "x.xml")

    def test_shows_the_traceback_wherever_it_stands(self) -> None:
        for arguments in (("--debug", *self.MISTAKE), (*self.MISTAKE, "--debug")):
            ended = run_process(*arguments)
            assert "Traceback (most recent call last)" in ended.err
            assert "unknown language 'xx'" in ended.err.splitlines()[-1]
            assert ended.code != 0

    def test_without_it_there_is_none(self) -> None:
        ended = run_process(*self.MISTAKE)
        assert ended.code == 2
        assert "Traceback" not in ended.err
        assert len(ended.err.splitlines()) == 1

    def test_it_leaves_the_exit_code_as_it_is(self) -> None:
        assert run_process("--debug", *self.MISTAKE).code == 2


class TestOptions:
    def test_the_result_goes_to_corpora_and_the_language(
        self, dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / "cwd"
        folder.mkdir()
        monkeypatch.chdir(folder)
        ended = wikibias("extract", "--lang", "en", dump)
        assert ended.code == 0
        assert (folder / "corpora/en/manifest.json").is_file()
        assert "corpora/en" in ended.out
        assert [path.name for path in folder.iterdir()] == ["corpora"]

    def test_the_tables(self, dump: Path, tmp_path: Path) -> None:
        ended = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", dump)
        assert ended.err == ""
        assert "3 pages, 18 revisions: 9 tag removals, 9 additions" in ended.out
        for line in (r"tag removals\W+9\W", r"kept\W+9\W", r"biased\W+18\W", r"total\W+36\W"):
            assert re.search(line, ended.out), line

    def test_quiet_prints_nothing(self, tmp_path: Path) -> None:
        """Not from the libraries either: mwxml logs a warning for such a revision."""
        slots = {"mediainfo": "{}"}
        hidden = Revision(tagged(50, 1), hidden=frozenset({"text"}), slots=slots)
        page = Page("Village", [*history("", 2).revisions, hidden])
        path = tmp_path / "a.xml"
        path.write_bytes(export([page]))
        ended = run_process("extract", "--quiet", "--lang", "en", "-o", tmp_path / "o", path)
        assert ended.code == 0
        assert (ended.out, ended.err) == ("", "")

    def test_limit_reads_so_many_pages_of_each_part(self, tmp_path: Path, dump: Path) -> None:
        talk = Page("Talk first", [Revision("hello")], namespace=1)
        other = tmp_path / "other.xml"
        other.write_bytes(export([talk, *(history(f"Hill {n}", 1, topic=n) for n in range(4))]))
        command = ("detect", "--lang", "en", "--workers", 1, "--limit", 2, "-o", tmp_path / "o")
        ended = wikibias(*command, dump, other)
        assert ended.code == 0
        read = {(row["part"], row["page_title"]) for row in rows(tmp_path / "o", "transitions")}
        assert read == {
            ("village.xml", "Village 0"),
            ("village.xml", "Village 1"),
            ("other.xml", "Hill 0"),
            ("other.xml", "Hill 1"),
        }
        manifest = json.loads((tmp_path / "o/manifest.json").read_text())
        assert manifest["counts"]["pages"] == 4
        assert manifest["settings"]["detect"]["limit"] == 2

    def test_only_articles_are_read_unless_asked(self, tmp_path: Path) -> None:
        path = tmp_path / "a.xml"
        pages = [history("Mill", 1, topic=1), history("Mill", 1, topic=2, namespace=1)]
        path.write_bytes(export(pages))
        for options, found in (((), {0}), ((1,), {1}), ((0, 1), {0, 1})):
            asked = [option for number in options for option in ("--namespace", number)]
            out = tmp_path / f"o{options}"
            assert wikibias("detect", "--lang", "en", *asked, "-o", out, path).code == 0
            assert {row["namespace"] for row in rows(out, "transitions")} == found

    def test_the_order_of_the_namespaces_is_no_matter(self, tmp_path: Path, dump: Path) -> None:
        command = ("detect", "--lang", "en", "-o", tmp_path / "o", dump)
        assert wikibias(*command, "--namespace", 0, "--namespace", 1).code == 0
        again = wikibias(*command, "--namespace", 1, "--namespace", 0)
        assert (again.code, again.err) == (0, "")

    def test_per_any_counts_only_the_last_tag_to_go(self, tmp_path: Path) -> None:
        both = "{{POV}}{{Advert}}"
        page = Page(
            "Mill",
            [
                Revision(both + mended(1, 1)),
                Revision("{{Advert}}" + mended(2, 1)),
                Revision(mended(3, 1)),
            ],
        )
        path = tmp_path / "a.xml"
        path.write_bytes(export([page]))
        removed = {}
        for per in ("tag", "any"):
            out = tmp_path / per
            assert wikibias("detect", "--lang", "en", "--per", per, "-o", out, path).code == 0
            removed[per] = [
                row["after_rev_id"] for row in rows(out, "transitions") if row["kind"] == "removed"
            ]
        assert removed == {"tag": [2, 3], "any": [3]}

    def test_reverts_keep(self, tmp_path: Path) -> None:
        before = Revision(tagged(1, 1))
        path = tmp_path / "a.xml"
        xml = export([Page("Mill", [before, Revision(mended(1, 1)), before])])
        # Ten days apart is no revert any more: all on one day.
        path.write_bytes(re.sub(rb"\d{4}-\d\d-\d\dT", b"2019-03-01T", xml))
        for policy, kept in (("drop", 0), ("keep", 1)):
            out = tmp_path / policy
            ended = wikibias("extract", "--lang", "en", "--reverts", policy, "-o", out, path)
            assert ended.code == 0
            assert len(rows(out, "edits")) == kept

    def test_split_by_sentence(self, tmp_path: Path) -> None:
        path = tmp_path / "a.xml"
        path.write_bytes(export([history("Mill", 20)]))
        for split, full in (("page", 1), ("sentence", 3)):
            out = tmp_path / split
            ended = wikibias("extract", "--lang", "en", "--split", split, "-o", out, path)
            assert ended.code == 0
            assert len({row["split"] for row in rows(out, "corpus")}) == full

    def test_a_name_with_odd_characters(self, tmp_path: Path) -> None:
        path = tmp_path / "été [1] a|b 'c'.xml"
        path.write_bytes(export([history("Mill", 1)]))
        assert wikibias("extract", "--lang", "en", "-o", tmp_path / "o", path).code == 0
        assert {row["part"] for row in rows(tmp_path / "o", "corpus")} == {path.name}

    def test_two_parts_of_the_same_name(self, tmp_path: Path) -> None:
        for number, name in enumerate(("one", "two")):
            (tmp_path / name).mkdir()
            pages = [history(f"Mill {name}", 2, topic=number)]
            (tmp_path / name / "a.xml").write_bytes(export(pages, first_id=1 + 100 * number))
        out = tmp_path / "o"
        command = ("extract", "--lang", "en", "--workers", 1, "-o", out)
        assert wikibias(*command, *tmp_path.glob("*/a.xml")).code == 0
        assert {row["page_title"] for row in rows(out, "edits")} == {"Mill one", "Mill two"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result with kept edits, rejects, an added tag that stays and a suppressed text."""
    folder = tmp_path_factory.mktemp("manifest")
    rejected = Page(
        "Stub",
        [
            Revision(tagged(1, 9)),
            Revision("short"),
            Revision(tagged(2, 9), hidden=frozenset({"text"})),
            Revision(tagged(2, 9)),
            Revision(tagged(2, 9).removeprefix("{{POV|date=May 2019}}\n")),
            Revision(tagged(3, 9)),
        ],
    )
    talk = history("Mill", 1, topic=8, namespace=1)
    (folder / "a.xml").write_bytes(export([history("Mill", 4), rejected, talk]))
    (folder / "b.xml").write_bytes(export([history("Hill", 3, topic=2)], first_id=500))
    (folder / "my.toml").write_text("[filter]\nmin_wikitext = 300\n")
    ended = wikibias(
        *("extract", "--lang", "en", "-o", folder / "o", "--seed", 42, "--workers", 1),
        *("--config", folder / "my.toml", folder / "a.xml", folder / "b.xml"),
    )
    assert ended.code == 0
    return folder


@pytest.fixture(scope="module")
def manifest(made: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((made / "o/manifest.json").read_text())
    return found


class TestManifest:
    def test_the_inputs_with_size_and_checksum(self, made: Path, manifest: dict[str, Any]) -> None:
        assert [entry["part"] for entry in manifest["inputs"]] == ["a.xml", "b.xml"]
        for entry in manifest["inputs"]:
            path = made / entry["part"]
            assert entry["size"] == path.stat().st_size
            assert entry["sha256"] == sha256(path)
            assert (entry["state"], entry["error"]) == ("whole", None)
            assert entry["wiki"] == "inventedenwiki"
        assert manifest["complete"] is True

    def test_versions(self, manifest: dict[str, Any]) -> None:
        assert manifest["wikibias"] == __version__
        expected = {"python", "mwxml", "mwparserfromhell", "spacy", "pyarrow"}
        assert expected <= manifest["versions"].keys()

    def test_the_full_configuration_and_the_seed(self, manifest: dict[str, Any]) -> None:
        settings = manifest["settings"]
        assert settings["build"] == {
            "seed": 42,
            "split": "page",
            "shares": {"train": 0.8, "dev": 0.1, "test": 0.1},
        }
        assert settings["filter"]["limits"]["min_wikitext"] == 300
        assert settings["filter"]["limits"]["max_edited_sentences"] == 400
        assert settings["detect"]["reverts"] == {"radius": 15, "days": 2.0}
        assert settings["diff"]["text"]["min_tokens"] == 6

    def test_the_version_of_the_tag_set(self, manifest: dict[str, Any], made: Path) -> None:
        version = load_tagset("npov", "en").version
        assert manifest["settings"]["detect"]["tagset_version"] == version
        found = {row["tagset_version"] for row in rows(made / "o", "transitions")}
        assert found == {version}

    def test_the_duration(self, manifest: dict[str, Any]) -> None:
        assert 0 < manifest["duration_seconds"] < 60

    def test_the_counts_agree_with_the_tables(self, made: Path, manifest: dict[str, Any]) -> None:
        out, counts = made / "o", manifest["counts"]
        kinds = [row["kind"] for row in rows(out, "transitions")]
        assert counts == {
            "pages": 3,
            "revisions": 8 + 6 + 6,
            "unknown_texts": 1,
            "steps_back_in_time": 0,
            "removed": kinds.count("removed"),
            "added": kinds.count("added"),
        }
        assert (counts["removed"], counts["added"]) == (4 + 2 + 3, 4 + 3 + 3)
        edits, rejects = rows(out, "edits"), rows(out, "rejects")
        assert sum(manifest["verdicts"].values()) == counts["removed"] == len(edits + rejects)
        for verdict, count in manifest["verdicts"].items():
            assert count == [row["verdict"] for row in edits + rejects].count(verdict)
        assert {row["verdict"] for row in edits} == {"kept"}
        assert {row["verdict"] for row in rejects} == {"redirect_or_blank", "tag_only"}

    def test_the_corpus_agrees_with_its_files(self, made: Path, manifest: dict[str, Any]) -> None:
        folder, corpus = made / "o/corpus", manifest["corpus"]
        sentences = rows(made / "o", "corpus")
        for role in ("removed", "added", "unchanged"):
            assert corpus[role] == [row["role"] for row in sentences].count(role)
        labels = [row["label"] for row in sentences]
        assert labels.count("biased") == labels.count("neutral") == corpus["removed"] == 14
        assert corpus["unchanged"] > 0
        for split, count in corpus["splits"].items():
            table = pq.read_table(folder / f"{split}.parquet").to_pylist()
            assert len(table) == count
            assert {row["split"] for row in table} <= {split}
            tsv = (folder / f"{split}.tsv").read_text()
            assert tsv == "".join(f"{row['label']}\t{row['norm']}\n" for row in table)
            fasttext = (folder / f"{split}.txt").read_text()
            assert fasttext == "".join(f"__label__{r['label']} {r['norm']}\n" for r in table)
        ids = [row["sentence_id"] for row in sentences]
        assert len(set(ids)) == len(ids)

    def test_the_columns(self, made: Path) -> None:
        def columns(kind: str) -> list[str]:
            paths = (made / "o" / kind).glob("*.parquet")
            (found,) = {tuple(pq.read_schema(path).names) for path in paths}
            return list(found)

        assert set(TRANSITION_COLUMNS) <= set(columns("transitions"))
        provenance = set(TRANSITION_COLUMNS) - {"before_text", "after_text"}
        for kind in ("edits", "rejects"):
            assert provenance | {"verdict", "removed", "added"} <= set(columns(kind))
        own = {"sentence_id", "text", "norm", "label", "role", "split"}
        assert provenance | own <= set(columns("corpus"))

    def test_every_sentence_leads_to_its_edit(self, made: Path) -> None:
        edits = {row["after_rev_id"]: row for row in rows(made / "o", "diffs")}
        for row in rows(made / "o", "corpus"):
            edit: dict[str, Any] = edits[row["after_rev_id"]]
            assert row["text"] in edit[str(row["role"])]
            for column in set(TRANSITION_COLUMNS) - {"before_text", "after_text"}:
                assert row[column] == edit[column]
            assert str(row["diff_url"]).endswith(
                f"?diff={row['after_rev_id']}&oldid={row['before_rev_id']}"
            )

    def test_the_dataset_card(self, made: Path, manifest: dict[str, Any]) -> None:
        card = (made / "o/corpus/README.md").read_text()
        assert card.startswith("---\nlicense: cc-by-sa-4.0\nlanguage: en\n")
        for part in manifest["inputs"]:
            assert part["part"] in card
            assert part["sha256"][:16] in card
        for word in ("GFDL", "Seed 42", "Known limits", "| kept | 7 |"):
            assert word in card

    def test_a_dry_run_says_so(self, made: Path, tmp_path: Path) -> None:
        command = ("detect", "--lang", "en", "--limit", 1, "-o", tmp_path / "o")
        assert wikibias(*command, made / "a.xml").code == 0
        entry = json.loads((tmp_path / "o/manifest.json").read_text())["inputs"][0]
        assert entry["size"] == (made / "a.xml").stat().st_size
        assert entry["sha256"] is None

    def test_of_standard_input_too(self, made: Path, tmp_path: Path) -> None:
        content = (made / "a.xml").read_bytes()
        ended = wikibias("detect", "--lang", "en", "-o", tmp_path / "o", "-", stdin=content)
        assert ended.code == 0
        entry = json.loads((tmp_path / "o/manifest.json").read_text())["inputs"][0]
        assert (entry["size"], entry["sha256"]) == (len(content), sha256(made / "a.xml"))

    def test_the_library_is_the_same_as_the_command(self, made: Path) -> None:
        """A later `detect` or `build` with the same options has nothing to do."""
        before = files(made / "o")
        config = ("--config", made / "my.toml")
        inputs = (made / "a.xml", made / "b.xml")
        assert wikibias("detect", "--lang", "en", *config, "-o", made / "o", *inputs).code == 0
        assert wikibias("build", "--seed", 42, *config, made / "o").code == 0
        assert files(made / "o") == before
