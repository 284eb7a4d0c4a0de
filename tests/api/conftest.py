"""A folder in which the examples of the interface run: the samples, a corpus and a classifier."""

import contextlib
import io
import shutil
from pathlib import Path

import pytest

import wikibias
from paths import SAMPLES
from wikibias.cli import main

ENGLISH = "samples/demoenwiki-20260101-pages-meta-history.xml.7z"
FRENCH = "samples/demofrwiki-20260101-pages-meta-history.xml.bz2"


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workplace")
    (folder / "samples").mkdir()
    for path in SAMPLES.glob("*.xml.*"):
        shutil.copy(path, folder / "samples")
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        wikibias.extract(ENGLISH, "en")
        wikibias.extract(FRENCH, "fr")
        with pytest.raises(SystemExit, match="0"):
            main(["classify", "--model", "sgd", "--set", "max_features=200", "corpora/en"])
    return folder


@pytest.fixture
def workplace(_made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with samples/, corpora/en, corpora/fr and corpora/en/models/sgd."""
    monkeypatch.chdir(_made)
    return _made
