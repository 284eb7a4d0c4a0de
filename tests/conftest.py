"""Fixtures for all tests: the real data beside the checkout, and a small synthetic corpus."""

import gc
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import settings

from exports import wikibias
from made_edits import corpus as corpus_of
from paths import ROOT, SAMPLES
from sample_sentences import made_up, written

# Tests start hundreds of Python processes, and each would compile our modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# What is imported and collected stays to the end: the collector need not go through it.
gc.disable()

# Examples have no deadline, because machines are slow and busy. `make test` tries the same few
# each time, so that it fails only because of a change; `make fuzz` tries many new ones.
settings.register_profile("wikibias", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("fuzz", deadline=None, max_examples=400)
settings.load_profile("wikibias")

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_xdist_auto_num_workers() -> int:
    """Return the workers of `-n auto`: tests wait a fifth of their time, so half as many more."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_collection_finish() -> None:
    """Collect garbage again, but only what tests leave, and less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with real dumps and gold files, beside the checkout."""
    folder = Path(os.environ.get("WIKIBIAS_SHARED") or _SHARED)
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder} (set WIKIBIAS_SHARED to where it is)")
    return folder


@pytest.fixture
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder, the one where commands are typed."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tsv(tmp_path: Path) -> dict[str, Path]:
    """Files train, dev and test of label<TAB>sentence lines."""
    return written(tmp_path, train=(240, 1), dev=(80, 2), test=(80, 3))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus folder as `wikibias extract` writes it, with 4 sentences per edit."""
    folder = tmp_path / "xx"
    (folder / "corpus").mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"lang": "en"}), encoding="utf-8")
    start = 0
    for name, count, seed in (("train", 240, 1), ("dev", 80, 2), ("test", 80, 3)):
        rows = []
        for i, (label, text) in enumerate(made_up(count, seed)):
            edit = start + i // 4
            rows.append(
                {
                    "sentence_id": f"{name}-{i}",
                    "text": text.capitalize() + ".",
                    "norm": text,
                    "label": label,
                    "role": "removed" if label == "biased" else "added",
                    "split": name,
                    "page_id": edit // 2,
                    "before_rev_id": 1000 + 2 * edit,
                    "after_rev_id": 1001 + 2 * edit,
                }
            )
        start += count
        pd.DataFrame(rows).to_parquet(folder / "corpus" / f"{name}.parquet")
    return folder


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of the English sample, to be read and not changed; its folder is `demo`."""
    return Path(shutil.copytree(corpus_of(), tmp_path_factory.mktemp("result") / "demo"))


@pytest.fixture(scope="session")
def intents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What three intents and featured articles give of a sample; to be read and not changed."""
    folder = tmp_path_factory.mktemp("result") / "intents"
    dump = SAMPLES / "qualityenwiki-20260101-pages-meta-history.xml.7z"
    names = ("citation", "clarification", "point-of-view", "featured")
    asked = [word for name in names for word in ("--signal", name)]
    assert wikibias("extract", "-q", "--lang", "en", "-o", folder, *asked, dump).code == 0
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the checkout, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-w", str(folder), str(ROOT)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"
