"""Commands as functions: every option is a keyword, faults name it, nothing is printed."""

import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import wikibias
from exports import files
from exports import wikibias as run
from made_edits import DUMPS
from wikibias.cli.calling import call

DUMP = DUMPS["en"]
OPTIONS: dict[str, Any] = {
    "signal": ["tag", "summary"],
    "filters": ["-tags_left", "strict"],
    "min_confidence": 0.2,
    "max_per_edit": 3,
    "split": "sentence",
    "pairs": True,
    "restart": False,
    "limit": None,
    "workers": 1,
}
TYPED = "--signal tag --signal summary --filters=-tags_left,strict --min-confidence 0.2"


def test_keywords_are_the_options_of_the_command(
    workplace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = wikibias.extract(DUMP, out=tmp_path / "called", **OPTIONS)
    assert capsys.readouterr() == ("", "")
    words = f"{TYPED} --max-per-edit 3 --split sentence --pairs -q --workers 1".split()
    assert run("extract", "-o", tmp_path / "typed", *words, DUMP).code == 0
    assert files(folder) == files(tmp_path / "typed")
    assert run("extract", "-o", folder, *words, "--dry-run", DUMP).well()


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"min_confidense": 1}, "extract takes no keyword 'min_confidense'; did you mean 'min_con"),
        ({"min_confidence": 2}, "Invalid value for 'min_confidence': 2"),
        ({"split": "pge"}, "split='pge' is none; did you mean 'page'?"),
        ({"restart": "yes"}, "restart must be True or False, not 'yes'"),
        ({"signal": ["tag", "sumary"]}, "did you mean 'summary'"),
        ({"filters": ""}, "nothing stands after"),
        ({"config_dir": "nowhere"}, "nowhere holds neither"),
        ({"negatives": "featured"}, 'negatives="featured" needs .*`wikibias detect --signal tag'),
        ({"dump": "-", "lang": None}, 'tell the language of -; name it, such as lang="fr"$'),
        ({"lang": "fr"}, r"""not 'fr'; .* \(lang="en"\), or lang_anyway=True$"""),
        ({"out": "samples"}, "give `out` an empty folder, or a new one"),
        ({"before": "May"}, "before='May': write a day such as 2022-11-30"),
        ({"scheduler": "x"}, '`scheduler` is for engine="dask"; add that'),
    ],
)
def test_a_fault_names_the_keyword(keywords: dict[str, Any], said: str, workplace: Path) -> None:
    with pytest.raises(wikibias.UsageError, match=said):
        wikibias.extract(**{"dump": DUMP, "lang": "en", "out": "corpora/none", **keywords})
    assert not Path("corpora/none").exists()


def test_a_warning_names_the_keyword(workplace: Path, tmp_path: Path) -> None:
    table = tmp_path / "a.tsv"
    table.write_text("biased\tA fine mill\nneutral\tA mill\n" * 9, encoding="utf-8")
    with pytest.warns(UserWarning, match=r'give test=FILE, or cv="near-duplicate"$'):
        wikibias.classify(train=table, model="majority", out=tmp_path / "m")


def test_what_is_said_goes_to_the_log(workplace: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "wikibias"):
        wikibias.extract(DUMP, "en", "corpora/logged", dry_run=True)
    assert "Dry run: nothing is written." in caplog.messages
    assert logging.getLogger("wikibias").level == logging.NOTSET


def test_scores_are_a_table_and_warnings_those_of_python(workplace: Path, tmp_path: Path) -> None:
    parameters = {"max_features": 200, "idf": True}
    with pytest.warns(UserWarning, match="too few sentences to judge a model by") as warned:
        trained = wikibias.classify(
            "corpora/en", model="sgd", set=parameters, out=tmp_path / "model"
        )
    assert {Path(each.filename).name for each in warned} == {Path(__file__).name}
    assert [*trained.scores] == ["model", "split", "metric", "value", "low", "high"]
    assert trained.scores.groupby("split").size().to_dict() == {"dev": 8, "test": 8}
    assert wikibias.load_classifier(trained.folder).name == "sgd"
    assert "<table" in trained._repr_html_()
    with pytest.raises(wikibias.UsageError, match="give `model` or compare=True, not both"):
        wikibias.classify("corpora/en", model="sgd", compare=True)


def test_results_of_the_other_commands(workplace: Path, tmp_path: Path) -> None:
    sheet = wikibias.export(
        "corpora/en", format="csv", columns=["text", "label"], out=tmp_path / "c"
    )
    frame = pd.concat(map(pd.read_csv, Path(sheet).glob("*.csv")))
    assert [*frame] == ["text", "label"]
    assert wikibias.report("corpora/en", "corpora/fr", out=tmp_path / "both.html").is_file()
    with pytest.raises(wikibias.UsageError, match="Missing option 'out'"):
        call("pairs", ["corpora/en"], {})


def test_a_thread_may_call_a_command(workplace: Path, tmp_path: Path) -> None:
    made: list[Any] = []
    work = lambda: made.append(wikibias.export("corpora/en", out=tmp_path / "hf"))  # noqa: E731
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert made == [tmp_path / "hf"]


def test_a_transition_is_shown_short_and_escaped(workplace: Path) -> None:
    first = next(wikibias.find_transitions(DUMP, "en"))
    assert repr(first) == "<Transition 'Halvern Dairies' 4 2006-04-02: added Advert>"
    evil = replace(
        first.provenance, page_title="<b>x", comment="<img src=x>", diff_url="javascript:x"
    )
    assert "https://en.demo.example/w/index.php?diff=4&amp;oldid=3" in first._repr_html_()
    shown = replace(first, provenance=evil)._repr_html_()
    assert "&lt;b&gt;x" in shown
    assert not any(word in shown for word in ("<b>", "<img", "href"))
