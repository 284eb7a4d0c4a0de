"""`wikibias docs`, `sentences` and `predict`: commands that need no dump and no result."""

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from exports import start, wikibias
from paths import ROOT
from sample_sentences import made_up, written
from wikibias.models import prediction

PAGES = sorted((ROOT / "docs").rglob("*.md"))
SHIPPED = sorted((ROOT / "samples").glob("*wiki-*"))


def test_the_list_names_every_page_once() -> None:
    ended = wikibias("docs").well()
    named = [line.split()[0] for line in ended.out.splitlines()[:-1]]
    assert sorted(named) == sorted(page.stem for page in PAGES)
    assert len(set(named)) == len(named)
    assert "Tutorial: from a dump to a question answered" in ended.out


def test_a_page_as_it_is_without_comments_for_programs() -> None:
    ended = wikibias("docs", "how-to/add-a-language.md").well()
    page = (ROOT / "docs/how-to/add-a-language.md").read_text("utf-8")
    assert ended.out == page.replace("<!-- run in an empty folder -->\n\n", "")


def test_a_command_is_a_name_of_its_page() -> None:
    assert wikibias("docs", "pairs").out == wikibias("docs", "sentence-pairs").out
    assert wikibias("docs", "cross-evaluate").out == wikibias("docs", "classify").out


def test_what_the_site_fills_in_is_text() -> None:
    interface, helps = wikibias("docs", "api").out, wikibias("docs", "cli").out
    assert (
        "\nextract(dump: DumpPath | Iterable[DumpPath] = (), lang: str | None = None," in interface
    )
    assert "Usage: wikibias audit topics [OPTIONS]" in helps
    assert "--max-per-edit" in helps
    assert "--8<--" not in helps


def test_sections_are_found_by_their_words() -> None:
    found = wikibias("docs", "--search", "Tag SET").well().out.splitlines()
    assert found[0].startswith("tags: Add a tag set (")
    assert wikibias("docs", "tags", "--search", "census.json").well().out.startswith("tags: Count")
    wikibias("docs", "--search", "xyzzy tag").refused("no section has all of 'xyzzy tag'")


def test_a_terminal_shows_a_page_rendered(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "wikibias", "docs", "tags"]
    environment = {**os.environ, "PAGER": "cat", "TERM": "xterm"}
    shown = b""
    with subprocess.Popen(command, stdout=theirs, env=environment) as running:
        os.close(theirs)
        with suppress(OSError):  # its end
            while part := os.read(ours, 10_000):
                shown += part
    os.close(ours)
    assert running.returncode == 0
    text = re.sub(rb"\x1b\[[\d;]*m", b"", shown).decode()
    assert text.strip().startswith("Count and curate tags")
    assert "(docs add-a-language)" in text
    assert not any(mark in text for mark in ("```", "<!--", "](", "| ---"))


def test_both_dumps_and_what_to_type_next(cwd: Path) -> None:
    ended = wikibias("docs", "--samples").well()
    written = sorted((cwd / "samples").iterdir())
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in SHIPPED]
    *named, following = ended.out.splitlines()
    assert named == [f"samples/{path.name}" for path in SHIPPED]
    assert following == f"Next: wikibias extract --lang en {named[0]}"
    assert wikibias("docs", "--samples").out == ended.out


def test_another_file_of_the_name_is_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / SHIPPED[1].name
    mine.write_text("mine")
    wikibias("docs", "--samples", "-o", tmp_path).refused("is another file; choose another --out")
    assert mine.read_text() == "mine"
    wikibias("docs", "--samples", "-o", mine / "below").refused("cannot write", code=1)


TEXT = "Dr. Smith left. Why? Nobody knows.\n\nOne line more.\n"
SPLIT = "Dr. Smith left.\nWhy?\nNobody knows.\n\nOne line more.\n\n"
PAGE = "'''Elm''' is a [[town]].{{POV}}<ref>A book.</ref>\n\n* One\n"
COMMAND = [sys.executable, "-m", "wikibias", "sentences", "--lang", "en"]


@pytest.mark.parametrize(
    ("options", "text", "shown"),
    [
        (["sentences"], TEXT, SPLIT),
        (["sentences", "--segmenter", "rules"], TEXT, SPLIT),
        (["sentences", "--clean"], PAGE, "Elm is a town.\nOne\n"),
        (["sentences", "--blocks"], PAGE, "paragraph\tElm is a town.\nlist\tOne\n"),
        (["clean"], PAGE, "Elm is a town.\nOne\n"),
        (["clean", "--blocks"], "{{POV}}", ""),
    ],
)
def test_a_file_or_a_pipe(options: list[str], text: str, shown: str, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(text)
    assert wikibias(*options, "--lang", "en", file).out == shown
    assert wikibias(*options, "--lang", "en", stdin=text.encode()).silent().out == shown


@pytest.mark.parametrize(
    ("option", "text", "shown", "said"),
    [
        ([], b"a.\n\xff\n", "a.\n\n", ":2: not UTF-8 (byte 1)"),
        (["--clean"], b"a.\n\xff\n", "", "not UTF-8 (byte 4)"),
        (["--clean"], b"x" * 2_500_001, "", "longer than 2,500,000 characters"),
    ],
)
def test_what_is_no_text(option: list[str], text: bytes, shown: str, said: str) -> None:
    done = wikibias("sentences", "--lang", "en", *option, stdin=text)
    assert (done.code, done.out) == (1, shown)
    assert said in done.errors[0]


def test_broken_markup_is_cleaned_by_patterns_and_said_so() -> None:
    text = b"A mill.\n" + b"[[a|" * 50_000
    done = wikibias("sentences", "--clean", "--lang", "en", stdin=text).well()
    assert done.out.startswith("A mill. [[a|")
    assert "cleaned by patterns alone" in done.err


def test_each_paragraph_is_answered_before_the_next_is_read() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for line in (b"It rains.\n", b"It snows.\n"):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline() == line
            assert process.stdout.readline() == b"\n"
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize(("option", "end"), [([], b"\n\n"), (["--clean"], b"\n")])
def test_a_pipe_gets_bytes_and_a_terminal_nothing_that_draws(option: list[str], end: bytes) -> None:
    evil = b"One \x1b[2Jred."
    piped = wikibias("sentences", "--lang", "en", *option, stdin=evil).well()
    assert piped.out.encode() == evil + end
    ours, theirs = pty.openpty()
    subprocess.run([*COMMAND, *option], input=evil, stdout=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 1000)
    os.close(ours)
    assert b"\x1b" not in shown
    assert b"\\x1b[2Jred." in shown


SENTENCES = [text for _, text in made_up(80, 3)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two models."""
    folder = tmp_path_factory.mktemp("trained")
    splits = written(folder, train=(240, 1), test=(80, 3)).items()
    files = [word for name, path in splits for word in (f"--{name}", path)]
    for model in ("nb-lr", "majority"):
        wikibias("classify", "--model", model, *files, "-o", folder / "models" / model).well()
    return folder / "models"


def test_answers_line_by_line(models: Path) -> None:
    model, sentences = models / "nb-lr", SENTENCES
    done = wikibias("predict", model, stdin="\n".join([*sentences, "", "truly"]).encode())
    answers = done.well().out.split("\n")
    assert answers[80] == ""
    assert answers[81].endswith("\ttruly")
    saved = (model / "predictions-test.tsv").read_text().splitlines()[1:]
    assert [a.split("\t")[0] for a in answers[:80]] == [line.split("\t")[3] for line in saved]


def test_what_is_no_model_or_no_list_of_sentences(models: Path, tmp_path: Path) -> None:
    """Models that lie below or beside are named."""
    (table := tmp_path / "a.csv").write_text("text;label\nIt is fine.;neutral\n")
    wikibias("predict", models / "nb-lr", table).refused("a.csv: no list of sentences")
    there = f"{models / 'majority'}, {models / 'nb-lr'}"
    for folder in (models.parent, models):
        wikibias("predict", folder).refused(f"give a model's folder: {there}", code=1)
    for folder, end in ((models, f"; there are: {there}"), (tmp_path, "")):
        done = wikibias("predict", folder / "lr", stdin=b"one\n")
        assert done.refused() == f"Error: {folder / 'lr'} does not exist{end}"


def test_a_model_reads_sentences_as_people_write_them(corpus: Path, tmp_path: Path) -> None:
    wikibias("classify", "--model", "char-lr", corpus).well()
    sentences = tmp_path / "s.txt"
    sentences.write_text("Truly, the town’s river (1,234)!\ntruly the town s river numtkn\n")
    done = wikibias("predict", corpus / "models" / "char-lr", sentences).well()
    answers = [line.split("\t")[0] for line in done.out.splitlines()]
    assert answers[0] == answers[1]
    done = wikibias("predict", corpus / "models" / "char-lr", sentences, "--json")
    assert "Truly, the town’s river" in done.out  # shown as it was written


def test_the_words_with_the_largest_effect(models: Path) -> None:
    sentence = b"the town opened a truly north school\n"
    done = wikibias("predict", models / "nb-lr", "--explain", "--json", stdin=sentence).well()
    answer = json.loads(done.out)
    assert answer["words"][0][0] == "truly"
    assert 0.5 < answer["probability"] < 1


def test_a_model_whose_class_has_moved_is_to_be_trained_again() -> None:
    # Trained by a wikibias in which the class lay in another module.
    model = Path(__file__).parents[1] / "fixtures" / "models" / "nb-lr-moved-class"
    advice = "train the model again with `wikibias classify`"
    done = wikibias("predict", model, stdin=b"big red hat\n")
    done.refused("saved by another version of wikibias", advice, code=1)


def test_any_number_of_workers_answers_in_order_what_stands_before_a_bad_line(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction, "_AT_ONCE", 50)
    model = models / "nb-lr"
    lines = [f"{SENTENCES[n % len(SENTENCES)]} {n}" if n % 100 else "" for n in range(605)]
    given = "\n".join(lines).encode()
    alone = wikibias("predict", model, stdin=given).well()
    assert [line.partition("\t")[2] for line in alone.out.splitlines()] == lines
    together = wikibias("predict", model, "--workers", "2", stdin=given + b"\n\0\n")
    assert ":606: a NUL byte" in together.refused(code=1)
    assert together.out == "".join(alone.out.splitlines(keepends=True)[:600])


def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    """As `wikibias sentences --lang en FILE | head -n 1`."""
    text = tmp_path / "t.txt"
    text.write_text("The mill stood.\n" * 9_000)  # more than a pipe takes
    with start("sentences", "--lang", "en", text) as process:
        assert process.stdout
        assert process.stdout.readline() == "The mill stood.\n"
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == ""
    assert process.returncode == 141
