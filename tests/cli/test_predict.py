"""`wikibias predict`: one line of output for each line of input."""

import json
import subprocess
import sys
from pathlib import Path

from exports import start, wikibias


def trained(name: str, tsv: dict[str, Path], out: Path) -> Path:
    files = [word for split, path in tsv.items() for word in (f"--{split}", path)]
    assert wikibias("classify", "--model", name, *files, "-o", out).code == 0
    return out


def test_answers_line_by_line_in_a_new_process(tsv: dict[str, Path], tmp_path: Path) -> None:
    model = trained("nb-lr", tsv, tmp_path / "m")
    sentences = [line.split("\t")[1] for line in tsv["test"].read_text().splitlines()]
    done = subprocess.run(
        [sys.executable, "-m", "wikibias", "predict", str(model)],
        input="\n".join([*sentences, "", "truly"]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = done.stdout.split("\n")
    assert answers[80] == ""
    assert answers[81].endswith("\ttruly")
    saved = (model / "predictions-test.tsv").read_text().splitlines()[1:]
    assert [a.split("\t")[0] for a in answers[:80]] == [line.split("\t")[3] for line in saved]


def test_of_a_model_that_is_not_there_those_beside_it_are_named(
    tsv: dict[str, Path], tmp_path: Path
) -> None:
    model = trained("majority", tsv, tmp_path / "nb-lr-labels")
    done = wikibias("predict", tmp_path / "nb-lr", stdin=b"one\n")
    assert done.code == 2
    assert done.errors == [f"Error: {tmp_path / 'nb-lr'} does not exist; there are: {model}"]
    nothing = wikibias("predict", tmp_path / "none" / "lr", stdin=b"one\n")
    assert nothing.errors == [f"Error: {tmp_path / 'none' / 'lr'} does not exist"]


def test_a_model_of_a_corpus_reads_sentences_as_people_write_them(
    corpus: Path, tmp_path: Path
) -> None:
    assert wikibias("classify", "--model", "char-lr", corpus).code == 0
    sentences = tmp_path / "s.txt"
    sentences.write_text("Truly, the town’s river (1,234)!\ntruly the town s river numtkn\n")
    done = wikibias("predict", corpus / "models" / "char-lr", sentences)
    assert done.code == 0
    answers = [line.split("\t")[0] for line in done.out.splitlines()]
    assert answers[0] == answers[1]
    done = wikibias("predict", corpus / "models" / "char-lr", sentences, "--json")
    assert "Truly, the town’s river" in done.out  # shown as it was written


def test_the_words_with_the_largest_effect(tsv: dict[str, Path], tmp_path: Path) -> None:
    model = trained("nb-lr", tsv, tmp_path / "m")
    sentence = tmp_path / "s.txt"
    sentence.write_text("the town opened a truly north school\n")
    done = wikibias("predict", model, sentence, "--explain", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["words"][0][0] == "truly"
    assert 0.5 < answer["probability"] < 1


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    wikibias("predict", tmp_path).refused("no model.json in it", code=1)


def test_a_corpus_folder_names_the_models_below(tsv: dict[str, Path], tmp_path: Path) -> None:
    model = trained("majority", tsv, tmp_path / "xx" / "models" / "majority")
    for folder in (tmp_path / "xx", tmp_path / "xx" / "models"):
        done = wikibias("predict", folder)
        assert done.code == 1
        assert done.errors[0].endswith(f"give a model's folder: {model}")


def test_a_model_whose_class_has_moved_is_to_be_trained_again() -> None:
    # Trained by a wikibias in which the class lay in another module.
    model = Path(__file__).parents[1] / "fixtures" / "models" / "nb-lr-moved-class"
    wikibias("predict", model, stdin=b"big red hat\n").refused(
        "saved by another version of wikibias",
        "train the model again with `wikibias classify`",
        code=1,
    )


def test_any_number_of_workers_writes_the_same_bytes_in_order(
    tsv: dict[str, Path], tmp_path: Path
) -> None:
    model = trained("nb-lr", tsv, tmp_path / "m")
    sentences = [line.split("\t")[1] for line in tsv["test"].read_text().splitlines()]
    lines = [f"{sentences[n % len(sentences)]} {n}" if n % 100 else "" for n in range(14_500)]
    given = "\n".join(lines).encode()
    alone = wikibias("predict", model, "--workers", "1", stdin=given)
    together = wikibias("predict", model, "--workers", "3", stdin=given)
    assert alone.code == together.code == 0
    assert together.out == alone.out
    assert [line.partition("\t")[2] for line in together.out.splitlines()] == lines


def test_what_stands_before_a_bad_line_is_answered(tsv: dict[str, Path], tmp_path: Path) -> None:
    model = trained("majority", tsv, tmp_path / "m")
    given = b"the mill\n" * 12_345 + b"\0\n" + b"the mill\n" * 5000
    alone, together = (
        wikibias("predict", model, "--workers", number, stdin=given) for number in ("1", "2")
    )
    assert alone.code == together.code == 1
    assert ":12346: a NUL byte" in together.errors[0]
    assert together.out == alone.out == alone.out.splitlines()[0].join(["", "\n"]) * 12_000


def test_a_reader_that_has_seen_enough_is_no_failure(tsv: dict[str, Path], tmp_path: Path) -> None:
    """As `wikibias predict MODEL < sentences | head -n 1`."""
    model = trained("majority", tsv, tmp_path / "m")
    sentences = tmp_path / "s.txt"
    sentences.write_text("the mill\n" * 50_000)
    process = start("predict", model, sentences)
    assert process.stdout is not None
    assert process.stdout.readline() == "0.500000\tthe mill\n"
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    assert (process.wait(timeout=60), said) == (141, "")
