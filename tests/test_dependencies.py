"""The package imports what it declares and does work with it; tests mirror the package."""

import ast
import importlib
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from paths import ROOT, SAMPLES
from wikibias.errors import UsageError

# Known to type checkers alone.
STUBS = {"_typeshed"}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return everything in the syntax tree of a file."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level name of each module that a file imports."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


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
    names = {name for path in (ROOT / "src").rglob("*.py") for name in imported(path)} - ours
    known = declared(extras=False) | declared(extras=True)
    providers = packages_distributions()
    undeclared = {
        name
        for name in names
        if name in providers and known.isdisjoint(map(canonical, providers[name]))
    }
    assert undeclared == set()


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


def test_no_module_unpickles_or_evaluates() -> None:
    """Nor hands words to a shell, nor unpacks an archive to wherever it says."""
    for path in (ROOT / "src").rglob("*.py"):
        assert UNSAFE_MODULES.isdisjoint(imported(path)), path
        for node in nodes(path):
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
FRENCH = SAMPLES / "demofrwiki-20260101-pages-meta-history.xml.bz2"


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the result folder of a sample."""
    out = tmp_path_factory.mktemp("nine") / "fr"
    wikibias("extract", "--lang", "fr", "-q", "-o", out, FRENCH)
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
    french: Path,
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
    places |= {"new": tmp_path / "new", "dump": FRENCH, "corpus": french}
    done = wikibias(*(word.format(**places) for word in command.split()))
    assert done.code == 0, done.err
    assert calls
