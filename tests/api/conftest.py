"""A folder in which the examples of the interface run: the samples, a corpus and a classifier."""

import contextlib
import io
import shutil
from pathlib import Path

import pytest

import wikibias
from made_edits import DUMPS
from paths import SAMPLES
from wikibias.cli import main


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workplace")
    (folder / "samples").mkdir()
    for path in SAMPLES.glob("*.xml.*"):
        shutil.copy(path, folder / "samples")
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for lang, dump in DUMPS.items():
            wikibias.extract(dump, lang, workers=1)
        with pytest.raises(SystemExit, match="0"):
            main(["classify", "--model", "sgd", "--set", "max_features=200", "corpora/en"])
    return folder


@pytest.fixture
def workplace(_made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with samples/, corpora/en, corpora/fr and corpora/en/models/sgd."""
    monkeypatch.chdir(_made)
    return _made
