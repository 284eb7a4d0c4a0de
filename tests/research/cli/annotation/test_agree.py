"""`wikibias annotate agree`, on made-up tables and on those of the published studies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import wide_answers
from wikibias.research.annotation.coefficients import measured, ratings
from wikibias.research.annotation.tables import read_table


def agreed(tmp_path: Path, *arguments: object) -> dict[str, Any]:
    """Run the command with few resamples and return what it writes."""
    out = tmp_path / "agreement.json"
    done = wikibias("annotate", "agree", *arguments, "--resamples", 20, "--out", out)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def long_table(tmp_path: Path) -> Path:
    """Return answers of two people and a model, with spans, gaps and a '?'."""
    said = {"ann": "1100", "bob": "110?", "model@0-shot": "0101"}
    rows = [
        {
            "item": f"s{number}",
            "annotator": who,
            "bias": {"1": "biased", "0": "neutral"}.get(one, one),
            "text": "The lovely town.",
            "page": f"page {number % 2}",
            "spans": [{"start": 4, "end": 10, "label": "bias"}] if one == "1" else [],
        }
        for who, answers in said.items()
        for number, one in enumerate(answers, 1)
    ]
    write_rows(tmp_path / "answers.jsonl", rows)
    return tmp_path / "answers.jsonl"


def test_a_long_table_is_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "agreement.json"
    arguments = (long_table(tmp_path), "--by", "page", "--out", out)
    done = wikibias("annotate", "agree", *arguments)
    assert done.code == 0
    assert "answers.jsonl: 3 annotators, 11 answers to 4 sentences" in done.out
    for title in ("Krippendorff's alpha, nominal", "Cohen's kappa of each two", "By page", "Spans"):
        assert title in done.out
    assert "s1: ann biased, bob biased, model@0-shot neutral: The lovely town." in done.out
    assert "fleiss: 1 sentence left out: not judged by all" in done.out
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["cohen"]["ann|bob"] == {"value": 1, "low": 1, "high": 1}
    assert found["annotators"]["bob"]["unparsed"] == 1
    assert found["spans"]["pairs"]["ann|bob"]["any"]["exact"]["value"] == 1


def test_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "agreement.html"
    found = agreed(tmp_path, long_table(tmp_path), "--page", page)
    assert found["krippendorff"]["nominal"]["value"] is not None
    assert "The lovely town." in page.read_text(encoding="utf-8")
    page.write_text("mine")
    done = wikibias("annotate", "agree", long_table(tmp_path), "--page", page)
    assert done.code == 2
    assert "no page of ours" in done.err


def test_answers_are_not_replaced_by_what_is_said_of_them(tmp_path: Path) -> None:
    answers = long_table(tmp_path)
    before = answers.read_bytes()
    for options in ((), ("--overwrite",)):
        done = wikibias("annotate", "agree", answers, "--out", answers, *options)
        assert done.code == 2
        assert "is what is read" in done.errors[0]
    assert answers.read_bytes() == before
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    assert "--overwrite" in wikibias("annotate", "agree", answers, "--out", other).errors[0]
    agreed(tmp_path, answers)
    agreed(tmp_path, answers)  # its own file it replaces


def test_two_annotators_have_their_confusions_shown(tmp_path: Path) -> None:
    rows = [{"item": number, "a": int(number > 3), "b": number % 2} for number in range(6)]
    write_rows(tmp_path / "w.csv", rows)
    done = wikibias("annotate", "agree", tmp_path / "w.csv", "--columns", "a,b")
    assert "a: 0" in done.out
    assert "b: 1" in done.out


def test_each_file_may_be_an_annotator(tmp_path: Path) -> None:
    for who, labels in {"ann": "101", "bob": "100"}.items():
        rows = [{"item": number, "strength": label} for number, label in enumerate(labels)]
        write_rows(tmp_path / f"{who}.csv", rows)
    files = (tmp_path / "ann.csv", tmp_path / "bob.csv")
    found = agreed(tmp_path, *files, "--label", "strength", "--order", "0,1")
    assert found["percentage"]["value"] == pytest.approx(2 / 3)
    assert found["cohen_weighted"]["linear"]["ann|bob"] == found["cohen"]["ann|bob"]


def test_boxes_to_tick_have_a_figure_each(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "types": types}
        for who in ("ann", "bob")
        for item, types in {"s1": ["x", "y"], "s2": [], "s3": ["y"] if who == "ann" else []}.items()
    ]
    write_rows(tmp_path / "a.csv", rows)
    found = agreed(tmp_path, tmp_path / "a.csv", "--label", "types")
    assert found["categories"]["x"]["krippendorff"]["nominal"]["value"] == 1
    assert found["categories"]["y"]["percentage"]["value"] == pytest.approx(2 / 3)
    assert "categories" in found["notes"]["krippendorff.nominal"]


@pytest.mark.parametrize("said", [("1", "1"), ("1", "?"), ("?", "?"), ("", ""), ("1", "")])
def test_nothing_to_compare_is_a_sentence_and_no_traceback(
    tmp_path: Path, said: tuple[str, str]
) -> None:
    write_rows(tmp_path / "w.csv", [{"item": "s1", "a": said[0], "b": said[1]}])
    found = agreed(tmp_path, tmp_path / "w.csv", "--columns", "a,b")
    assert found["krippendorff"]["nominal"] == {"value": None, "low": None, "high": None}
    assert found["fleiss"]["value"] is None
    assert {"krippendorff.nominal", "fleiss", "cohen.a|b"} <= found["notes"].keys()


def test_one_annotator_alone(tmp_path: Path) -> None:
    write_rows(tmp_path / "w.csv", [{"item": "s1", "a": 1}, {"item": "s2", "a": 0}])
    found = agreed(tmp_path, tmp_path / "w.csv", "--columns", "a")
    assert found["cohen"] == {}
    assert "one annotator" in found["notes"]["cohen"]


def test_what_is_wrong_with_a_line_is_said(tmp_path: Path) -> None:
    table = long_table(tmp_path)
    for arguments, message in {
        ("--order", "neutral,weak"): "Error: --order lacks 'biased'",
        ("--by", "pages"): "did you mean 'page'",
        ("--columns", "x"): "no column 'x'",
        ("--label", "comment"): "no column 'comment'",
    }.items():
        done = wikibias("annotate", "agree", table, *arguments)
        assert done.code in (1, 2)
        assert message in done.err


class TestPublished:
    """Figures that the published tables must give, to six decimals."""

    @pytest.fixture
    def folder(self, shared: Path) -> Path:
        """Return the folder of the tables, or pass the test over."""
        if not (shared / "annotation").is_dir():
            pytest.skip(f"no annotation/ in {shared}")
        return shared / "annotation"

    @pytest.fixture
    def expected(self, folder: Path) -> dict[str, Any]:
        """Return the figures that must come out."""
        found: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        return found

    def test_the_alphas_that_the_authors_stored(
        self, folder: Path, expected: dict[str, Any]
    ) -> None:
        table = read_table(folder / "babe_train_runs.parquet")
        for stored in expected["krippendorff_stored"]:
            models = stored.get("models") or [stored["model"]]
            settings = stored.get("settings") or [stored.get("setting", "*")]
            columns = ",".join(f"{model}@{of}" for model in models for of in settings)
            answers = wide_answers(table, table.chosen(columns))
            found = measured(ratings(answers), resamples=1, seed=0)["krippendorff"]
            for level in ("nominal", "ordinal", "interval"):  # the same for two values
                assert found[level]["value"] == pytest.approx(stored["stored"], abs=5e-7), stored

    def test_a_stored_alpha_by_the_command(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        stored = expected["krippendorff_stored"][4]
        found = agreed(
            tmp_path, folder / "babe_train_runs.parquet", "--columns", f"{stored['model']}@*"
        )
        assert found["krippendorff"]["nominal"]["value"] == pytest.approx(
            stored["stored"], abs=5e-7
        )

    @pytest.mark.parametrize("label", ["bias", "opinion"])
    def test_the_raters_of_babe(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any], label: str
    ) -> None:
        columns = ("--item", "sentence", "--annotator", "rater", "--label", label)
        found = agreed(tmp_path, folder / "babe_raters_sg2.parquet", *columns)
        known = expected["agreement"]["babe_raters_sg2"]
        levels = [level for level in found["krippendorff"] if f"{label}_alpha_{level}" in known]
        assert "nominal" in levels
        for level in levels:
            assert found["krippendorff"][level]["value"] == pytest.approx(
                known[f"{label}_alpha_{level}"], abs=1e-6
            )

    def test_the_experts_on_what_a_model_got_wrong(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        found = agreed(tmp_path, folder / "experts_771.csv", "--columns", "expert*")
        known = expected["agreement"]["experts_771"]
        self._same(found, known["alpha_nominal_missing_kept"], known["fleiss_complete"])
        assert found["fleiss"]["items"] == known["complete_rows"]
        self._cohens(found, known["cohen"])
        assert found["apart"]["annotator"] == "expert3"

    def test_the_experts_on_the_pool_of_examples(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        found = agreed(tmp_path, folder / "icl_pool_experts.csv", "--columns", "expert*")
        known = expected["agreement"]["icl_pool_experts"]
        self._same(found, known["alpha_nominal"], None)
        assert (found["answers"], found["compared"]) == (
            known["ratings"],
            known["rows_with_2_or_more"],
        )

    def test_the_three_teachers(
        self, folder: Path, tmp_path: Path, expected: dict[str, Any]
    ) -> None:
        columns = ("--columns", "zephyr,openchat,llama_13b")
        found = agreed(tmp_path, folder / "babe_test.parquet", *columns)
        known = expected["agreement"]["babe_test_3_teachers"]
        self._same(found, known["alpha_nominal"], known["fleiss"])
        self._cohens(found, known["cohen"])
        for name, of in expected["anno_lexical"]["teachers"].items():
            if "fleiss" in of:
                table = folder / f"anno_lexical_teachers_{name}.parquet"
                self._same(agreed(tmp_path, table, *columns), of["alpha_nominal"], of["fleiss"])

    def _same(self, found: dict[str, Any], alpha: float, fleiss: float | None) -> None:
        assert found["krippendorff"]["nominal"]["value"] == pytest.approx(alpha, abs=1e-6)
        if fleiss is not None:
            assert found["fleiss"]["value"] == pytest.approx(fleiss, abs=1e-6)

    def _cohens(self, found: dict[str, Any], known: dict[str, float]) -> None:
        assert {name.replace("|", "-") for name in found["cohen"]} == set(known)
        for name, entry in found["cohen"].items():
            assert entry["value"] == pytest.approx(known[name.replace("|", "-")], abs=1e-6)
