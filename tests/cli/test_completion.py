"""What shells complete, asked as they ask."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wikibias.cli import main

BIN = Path(sys.executable).parent
HEAVY = ("numpy", "pyarrow", "sklearn", "pandas", "rich", "requests", "spacy", "mwparserfromhell")


def asked(monkeypatch: pytest.MonkeyPatch, **how: str) -> str:
    """Return what a shell gets that asks by these variables; it is written as bytes."""
    for name, value in how.items():
        monkeypatch.setenv(name, value)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", out)
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 0
    out.seek(0)
    return out.read()


def completed(monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """Return what bash would offer for a line; an incomplete word is its last."""
    words = line.split()
    number = len(words) - (0 if line.endswith(" ") else 1)
    how = {"COMP_WORDS": line, "COMP_CWORD": str(number), "_WIKIBIAS_COMPLETE": "bash_complete"}
    return asked(monkeypatch, **how).split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("wikibias ext", ["plain,extract"]),
        ("wikibias bui", ["plain,build"]),
        ("wikibias tags sh", ["plain,show"]),
        ("wikibias extract --engi", ["plain,--engine"]),
        ("wikibias extract --lang e", ["plain,en", "plain,es"]),
        ("wikibias sentences --lang zh", ["plain,zh"]),
        ("wikibias tags show --tagset rel", ["plain,reliability"]),
        ("wikibias extract --lang en --family wea", ["plain,weasel"]),
        ("wikibias extract --family wea", []),
        ("wikibias extract --engine ", ["plain,local", "plain,dask", "plain,slurm"]),
        ("wikibias diff --segmenter s", ["plain,spacy", "plain,sentencex"]),
        ("wikibias extract --pairing add", ["plain,addition-edit"]),
        ("wikibias extract --filters pap", ["plain,paper"]),
        (
            "wikibias filter --filters default,-tags_left,-tag_",
            [
                f"plain,default,-tags_left,-{name}"
                for name in ("tag_swapped", "tag_back_soon", "tag_only")
            ],
        ),
        ("wikibias classify --model nb", ["plain,nb-lr"]),
        ("wikibias stress --language ", ["plain,bg", "plain,en", "plain,fr"]),
        ("wikibias classify --compare --models sgd,n", ["plain,sgd,nb-lr", "plain,sgd,nearest"]),
        ("wikibias fetch --family c", ["plain,content"]),
        ("wikibias extract dumps/fr", ["file,dumps/fr"]),
        ("wikibias status corp", ["dir,corp"]),
        ("wikibias nosuch --l", []),
        ("wikibias tags nosuch --l", []),
        ("wikibias extract --seed 1 --seed 2 --scop", ["plain,--scope"]),
        (
            "wikibias extract --log-file /no/such/folder/x --config /no/such --scop",
            ["plain,--scope"],
        ),
    ],
)
def test_what_is_offered(line: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(monkeypatch, line) == offered


def test_a_language_of_ones_own_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/xx.toml").write_text("broken", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert completed(monkeypatch, "wikibias extract --lang x") == ["plain,xx"]


@pytest.mark.parametrize("line", ["wikibias extract --lang e", "wikibias extract --filters pa"])
def test_no_heavy_library_is_loaded(line: str) -> None:
    code = (
        "import sys\nfrom wikibias.cli import main\ntry:\n    main([])\nexcept SystemExit:\n"
        f"    print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    how = {"COMP_WORDS": line, "COMP_CWORD": "3", "_WIKIBIAS_COMPLETE": "bash_complete"}
    ended = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **how}, capture_output=True, check=True
    )
    assert ended.stdout.splitlines()[-1] == b"[]"


def test_in_bash_itself() -> None:
    """With the line that docs/how-to/shell-completion.md gives."""
    script = (
        'eval "$(_WIKIBIAS_COMPLETE=bash_source wikibias)"\n'
        "COMP_WORDS=(wikibias extract --lang e) COMP_CWORD=3\n"
        "_wikibias_completion wikibias\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, check=True
    )
    assert (ended.stdout, ended.stderr) == (b"en es\n", b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = asked(monkeypatch, _WIKIBIAS_COMPLETE=f"{shell}_source")
    assert f"_WIKIBIAS_COMPLETE={shell}_complete" in script
