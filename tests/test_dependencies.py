"""The package imports what it declares and does work with it; tests mirror the package."""

import ast
import importlib
import re
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from paths import ROOT, SAMPLES
from wikibias.errors import UsageError

# Known to type checkers alone.
STUBS = {"_typeshed"}


SOURCES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}


def imported(text: str) -> set[str]:
    """Return the top-level names of the modules that a file imports, and words of its texts."""
    return set(re.findall(r"^ *(?:from|import) (\w+)", text, re.MULTILINE))


def canonical(name: str) -> str:
    """Return the name of a distribution as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*, extras: bool) -> set[str]:
    """Return the distributions that pyproject.toml names: dependencies, or those of extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    lists = [project["dependencies"]]
    if extras:
        lists = [names for extra, names in optional.items() if extra != "dev"]
    found = (re.match(r"[\w.-]+", name) for names in lists for name in names)
    # python-Levenshtein holds nothing: it installs Levenshtein.
    return {canonical(match[0]).replace("python-lev", "lev") for match in found if match}


def test_every_library_that_is_imported_is_declared() -> None:
    ours = {"wikibias", *sys.stdlib_module_names, *STUBS}
    names = set[str]().union(*map(imported, SOURCES.values())) - ours
    provided: set[str] = set()
    for name in declared(extras=False) | declared(extras=True):
        with suppress(PackageNotFoundError):
            files = distribution(name).files or []
            provided |= {file.parts[0].partition(".")[0] for file in files}
    assert {"click", "pandas"} <= names & provided
    assert [name for name in names - provided if find_spec(name)] == []


IN_AN_EXTRA = {
    "pycrfsuite": "wikibias.research.spans.crf",
    "sacrebleu.metrics.bleu": "wikibias.research.neutralising.measures",
}


@pytest.mark.parametrize("name", IN_AN_EXTRA)
def test_who_lacks_an_extra_is_told_how(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, IN_AN_EXTRA[name], raising=False)
    with pytest.raises(UsageError, match=r" needs [\w-]+; run: .*install"):
        importlib.import_module(IN_AN_EXTRA[name])


UNSAFE_MODULES = {"pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml", "code"}
UNSAFE_CALLS = {"eval", "exec", "__import__", "mktemp", "extractall", "system", "popen", "unpickle"}
CALLED = re.compile(rf"\b(?:{'|'.join(UNSAFE_CALLS)}) *\(|\bshell *=")


def test_no_module_unpickles_or_evaluates() -> None:
    """Nor hands words to a shell, nor unpacks an archive to wherever it says."""
    for path, text in SOURCES.items():
        assert UNSAFE_MODULES.isdisjoint(imported(text)), path
        # Most have no such word, and need not be parsed.
        for node in ast.walk(ast.parse(text)) if CALLED.search(text) else ():
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
                name = called.id if isinstance(called, ast.Name) else called
                assert name not in UNSAFE_CALLS, f"{path}:{node.lineno}"
                assert "shell" not in {word.arg for word in node.keywords}, f"{path}:{node.lineno}"


SOURCE, TESTS = ROOT / "src" / "wikibias", ROOT / "tests"


def test_every_package_has_tests() -> None:
    packages = {path.parent for path in SOURCE.rglob("*.py")} - {SOURCE}
    without = [
        package.relative_to(SOURCE).as_posix()
        for package in sorted(packages)
        if not [*(TESTS / package.relative_to(SOURCE)).rglob("test_*.py")]
    ]
    assert without == []


# Each of the nine packages that the project is built on does work that people see.
DUMP = SAMPLES / "demofrwiki-20260101-pages-meta-history.xml.bz2"


def count_calls(owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the name of a function of a module each time it is called."""
    *parents, last = name.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    real, calls = getattr(owner, last), []

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(name)
        return real(*args, **options)

    monkeypatch.setattr(owner, last, counted)
    return calls


SGD = {"sklearn.linear_model": "SGDClassifier.fit", "pandas": "DataFrame.__init__"}


@pytest.mark.parametrize(
    ("command", "used"),
    [
        (
            "extract --lang fr --workers 1 -o {new} {dump}",
            {"mwxml": "SiteInfo.from_element", "Levenshtein": "ratio", "click": "Command.invoke"},
        ),
        ("clean --lang fr {wikitext}", {"mwparserfromhell.parser": "Parser.parse"}),
        ("pairs -o {new} {corpus}", {"wikibias.edits.word_diff": "diff"}),
        ("sentences --lang fr --segmenter spacy {text}", {"spacy": "blank"}),
        ("classify --model sgd --set max_features=50 -o {new} {corpus}", SGD),
        ("classify --model fasttext -o {new} {corpus}", {"fasttext": "train_supervised"}),
    ],
)
def test_a_command_uses_them(
    command: str, used: dict[str, str], demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [
        count_calls(importlib.import_module(module), name, monkeypatch)
        for module, name in used.items()
    ]
    (tmp_path / "t.txt").write_text("Un moulin. Il est vieux.\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("{{lang|en|Elm}} est [[ville|villa]].\n", encoding="utf-8")
    places = {name: tmp_path / f"{name[0]}.txt" for name in ("text", "wikitext")}
    places |= {"new": tmp_path / "new", "dump": DUMP, "corpus": demo}
    done = wikibias(*(word.format(**places) for word in command.split()))
    assert done.code == 0, done.err
    assert all(calls), calls
