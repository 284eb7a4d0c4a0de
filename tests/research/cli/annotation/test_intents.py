"""`wikibias annotate score` of result folders: rules of intents against what people say."""

import json
from pathlib import Path

import pytest

from exports import wikibias
from paths import SAMPLES

HEAD = "rev_id\tannotator\tlabels"
_SIGNALS = ("citation", "point-of-view", "clarification")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("intents") / "en"
    signals = [part for name in _SIGNALS for part in ("--signal", name)]
    dump = SAMPLES.glob("qualityenwiki-*.7z")
    wikibias("detect", "-q", "--lang", "en", *signals, "-o", out, *dump).well()
    return out


def _table(folder: Path, *rows: str) -> Path:
    """Return a file of labels with these rows, the head first."""
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder / "labels.tsv"


def _gold(folder: Path) -> Path:
    """Write the labels of the sample's gold, as if annotators agreed on them."""
    labels: dict[int, set[str]] = {}
    for line in (SAMPLES / "qualityenwiki.gold.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] in ("intent", "no-intent"):
            found = labels.setdefault(event["rev_id"], set())
            found.update([event["intent"]] if event["event"] == "intent" else [])
    rows = [
        f"{revision}\t{who}\t{','.join(sorted(names)) or 'none'}"
        for revision, names in sorted(labels.items())
        for who in "ab"
    ]
    return _table(folder, HEAD, *rows)


def test_the_rules_find_all_that_the_gold_names(result: Path, tmp_path: Path) -> None:
    labels, out = _gold(tmp_path), tmp_path / "s.json"
    done = wikibias("annotate", "score", result, "--gold", labels, "--out", out).well()
    assert "who says so" in done.out
    scores = json.loads(out.read_text())["languages"]["en"]
    for name in _SIGNALS:
        for truth in ("any", "majority"):
            assert scores[name][truth]["recall"]["value"] == 1, name
        assert scores[name]["krippendorff"]["value"] == 1
        assert scores[name]["annotators"] == 2
    assert scores["citation"]["any"]["precision"]["value"] == 1


def test_one_annotator_is_enough_and_the_majority_is_more(result: Path, tmp_path: Path) -> None:
    labels, out = _gold(tmp_path), tmp_path / "s.json"
    said = labels.read_text(encoding="utf-8").splitlines()
    none = [line.rsplit("\t", 1)[0] + "\tnone; " for line in said[1:]]
    others = [line.replace("\tb\t", "\tc\t") for line in none if "\tb\t" in line]
    kept = [line.replace("citation", " Citation ") for line in said if "\tb\t" not in line]
    labels.write_text("\n".join([*kept, *others, *(o.replace("\tc\t", "\td\t") for o in others)]))
    wikibias("annotate", "score", result, "--gold", labels, "--out", out).well()
    scores = json.loads(out.read_text())["languages"]["en"]["citation"]
    assert scores["annotators"] == 3
    assert scores["any"]["positive"] > scores["majority"]["positive"] == 0
    assert scores["any"]["recall"]["value"] == 1
    assert scores["majority"]["recall"] == {"value": None, "low": None, "high": None}
    assert scores["krippendorff"]["value"] < 0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["rev_id\tlabels", "3\tcitation"], "Error: LABELS: no column 'annotator'"),
        ([HEAD, "three\ta\tcitation"], "is no number of a revision"),
        ([HEAD], "no row"),
    ],
)
def test_labels_that_cannot_be_read_are_one_line(
    rows: list[str], said: str, result: Path, tmp_path: Path
) -> None:
    labels = _table(tmp_path, *rows)
    done = wikibias("intents", "score", result, "--labels", labels)
    assert done.code != 0
    assert said.replace("LABELS", str(labels)) in done.err
    assert done.err.count("\n") == 1, done.err


def test_labels_of_another_dump_and_unknown_names_are_said(result: Path, tmp_path: Path) -> None:
    labels = _table(tmp_path, HEAD, "999999\ta\tcitations")
    done = wikibias("intents", "score", result, "--labels", labels).well()
    assert "'citations' is no intent that was looked for; did you mean 'citation'?" in done.err
    assert "is it this dump?" in done.err


def test_few_edits_answers_twice_and_intents_not_looked_for_are_said(
    tmp_path: Path,
) -> None:
    out, labels = tmp_path / "out", _table(tmp_path, HEAD, "3\ta\tcitation", "3\ta\tnone")
    sample = next(SAMPLES.glob("qualityenwiki-*.7z"))
    words = ("detect", "-q", "--lang", "en", "--signal", "clarification", "-o", out, sample)
    wikibias(*words).well()
    done = wikibias("intents", "score", out, "--labels", labels).well()
    assert "only 1 labelled edit: under 50 the intervals are too narrow" in done.err
    assert "1 edit labelled twice by one annotator, such as 3 by 'a': the first row" in done.err
    assert "'citation' is no intent that was looked for; the folder has clarification" in done.err


def test_a_folder_without_intents_says_what_to_run(demo: Path, tmp_path: Path) -> None:
    done = wikibias("intents", "score", demo, "--labels", _gold(tmp_path))
    done.refused("no intent was looked for; run `wikibias detect --signal citation ...`")
