"""Where each of the nine packages that the project is built on does work that people see."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from paths import SAMPLES

FRENCH = SAMPLES / "demofrwiki-20260101-pages-meta-history.xml.bz2"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the result folder of a sample."""
    out = tmp_path_factory.mktemp("nine") / "fr"
    wikibias("extract", "--lang", "fr", "--workers", 1, "-q", "-o", out, FRENCH)
    return out


@pytest.mark.parametrize(
    ("module", "name", "command"),
    [
        ("click", "Command.invoke", "sentences --lang fr {text}"),
        ("mwxml", "SiteInfo.from_element", "extract --lang fr --workers 1 -o {new} {dump}"),
        ("mwparserfromhell.parser", "Parser.parse", "clean --lang fr {wikitext}"),
        ("Levenshtein", "ratio", "extract --lang fr --workers 1 -o {new} {dump}"),
        ("wikibias.edits.word_diff", "diff", "pairs -o {new} {corpus}"),
        ("spacy", "blank", "sentences --lang fr --segmenter spacy {text}"),
        ("sklearn.linear_model", "SGDClassifier.fit", "classify --model sgd -o {new} {corpus}"),
        ("fasttext", "train_supervised", "classify --model fasttext -o {new} {corpus}"),
        ("pandas", "DataFrame.__init__", "classify --model sgd -o {new} {corpus}"),
    ],
)
def test_a_command_uses_it(
    module: str,
    name: str,
    command: str,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner: Any = importlib.import_module(module)
    *parents, last = name.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    real, calls = getattr(owner, last), []

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(last)
        return real(*args, **options)

    monkeypatch.setattr(owner, last, counted)
    (tmp_path / "t.txt").write_text("Un moulin. Il est vieux.\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("{{lang|en|Elm}} est [[ville|villa]].\n", encoding="utf-8")
    places = {name: tmp_path / f"{name[0]}.txt" for name in ("text", "wikitext")}
    places |= {"new": tmp_path / "new", "dump": FRENCH, "corpus": corpus}
    done = wikibias(*(word.format(**places) for word in command.split()))
    assert done.code == 0, done.err
    assert calls
