"""Outputs of the commands on the samples, as checksums and as texts.

`python tests/golden/golden_outputs.py` writes them anew: do it only for a change that is meant, and
say in CHANGELOG.md which outputs changed and why.
"""

import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from unittest.mock import patch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "kit"))

import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

from exports import wikibias  # noqa: E402
from paths import SAMPLES  # noqa: E402

CHECKSUMS, REAL_CHECKSUMS = HERE / "checksums.json", HERE / "real_checksums.json"
TEXTS = HERE / "texts"
_DEMO = {
    "en": "demoenwiki-20260101-pages-meta-history.xml.7z",
    "fr": "demofrwiki-20260101-pages-meta-history.xml.bz2",
}
_QUALITY = {
    "en": "qualityenwiki-20260101-pages-meta-history.xml.7z",
    "fr": "qualityfrwiki-20260101-pages-meta-history.xml.bz2",
}
_FORMATS = ("hf", "parquet", "jsonl", "csv", "fasttext")
_PAIR_FORMATS = ("hf", "jsonl", "wnc", "wikibias", "bio")
_LABELLED_FORMATS = ("hf", "parquet", "jsonl", "csv", "tone-check")
_PAGES = (".html", ".md")
_REAL = {
    "anarchism": ("en", "enwiki-anarchism-full-history.xml.7z"),
    "shinto-en": ("en", "shintowiki-en-tagged.xml.7z"),
    "shinto-ja": ("ja", "shintowiki-ja-tagged.xml.7z"),
}


def sample_commands(out: Path) -> Iterator[tuple[str, list[object]]]:
    """Yield a name and the words of each command; a later one reads what earlier ones wrote."""
    usual = ["--workers", 1]
    for lang, name in _DEMO.items():
        yield (
            f"extract-{lang}",
            ["extract", "--lang", lang, *usual, "-o", out / lang, SAMPLES / name],
        )
        yield f"status-{lang}", ["status", out / lang]
        yield f"pairs-{lang}", ["pairs", out / lang, "--out", out / f"pairs-{lang}"]
        for form in _FORMATS:
            to = out / f"export-{lang}-{form}"
            yield f"export-{lang}-{form}", ["export", "--format", form, "-o", to, out / lang]
        yield f"report-{lang}", ["report", out / lang, "--out", out / f"report-{lang}.html"]
    signals = [
        word
        for name in ("citation", "clarification", "point-of-view", "featured")
        for word in ("--signal", name)
    ]
    for lang, name in _QUALITY.items():
        folder = out / f"quality-{lang}"
        words = ["extract", "--lang", lang, *usual, *signals, "-o", folder, SAMPLES / name]
        yield f"extract-quality-{lang}", words
        for form in _LABELLED_FORMATS:
            to = out / f"export-quality-{lang}-{form}"
            words = ["export", "--format", form, "-o", to, folder / "labelled"]
            yield f"export-quality-{lang}-{form}", words
    folder = out / "settings"
    dump = SAMPLES / _DEMO["en"]
    settings = "--split sentence --seed 3 --pairs --filters paper --labels tags".split()
    signals = ["--signal", "tag", "--signal", "summary"]
    yield "extract-settings", [
        "extract", "--lang", "en", *usual, *signals, *settings, "-o", folder, dump
    ]  # fmt: skip
    for rules in ("own", "wnc"):
        to = out / f"pairs-settings-{rules}"
        yield f"pairs-settings-{rules}", ["pairs", folder, "--rules", rules, "--out", to]
    for form in _PAIR_FORMATS:
        to = out / f"export-pairs-{form}"
        words = ["export", "--format", form, "-o", to, out / "pairs-settings-own"]
        yield f"export-pairs-{form}", words
    yield "report-pairs", ["report", out / "pairs-settings-own", "--out", out / "report-pairs.html"]
    judged = out / "judged-en"
    yield "extract-judged", ["extract", "-q", "--lang", "en", *usual, "-o", judged, dump]
    _write_votes(judged / "corpus" / "train.parquet", out / "votes.csv")
    yield "build-judged", [
        "build", "-q", "--labels", out / "votes.csv", "--columns", "vote", judged
    ]  # fmt: skip
    yield "report-quality", ["report", out / "quality-en", "--out", out / "report-quality.html"]


def _write_votes(corpus: Path, path: Path) -> None:
    names = pq.read_table(corpus, columns=["sentence_id"])["sentence_id"].to_pylist()
    rows = [f"{name},{place % 2}\n" for place, name in enumerate(sorted(map(str, names))[:40])]
    path.write_text("sentence_id,vote\n" + "".join(rows), encoding="utf-8")


def real_commands(out: Path, dumps: Path) -> Iterator[tuple[str, list[object]]]:
    """Yield the same for real histories."""
    for name, (lang, dump) in _REAL.items():
        words = ["extract", "-q", "--lang", lang, "--workers", 1, "-o", out / name, dumps / dump]
        yield name, words


def outputs(
    commands: Iterator[tuple[str, list[object]]], out: Path
) -> tuple[dict[str, str], dict[str, str]]:
    """Checksums of all files, by path, and the texts of pages, cards and of the terminal."""
    texts = {}
    for name, words in commands:
        with patch.dict(os.environ, {"COLUMNS": "100"}):
            ended = wikibias(*words)
        text = f"exit code {ended.code}\n{ended.out}{ended.err}"
        texts[f"terminal/{name}"] = _undated(_placed(text, out))
    sums = {}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        if not path.is_file() or path.name.startswith(".") or path.name == "votes.csv":
            continue
        if path.suffix in _PAGES:
            texts[f"pages/{name}"] = _placed(_page_text(path), out)
        elif path.name not in ("manifest.json", "export.json", "checksums.json"):
            sums[name] = _checksum(path)
    return sums, texts


def _checksum(path: Path) -> str:
    """Checksum of a file; of a table its columns and rows, not how Parquet packs them."""
    if path.suffix != ".parquet":
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    table = pq.read_table(path).replace_schema_metadata(None)
    found = hashlib.sha256(str(table.schema).encode())
    for batch in table.to_batches(max_chunksize=1000):
        for row in pa.Table.from_batches([batch]).to_pylist():
            found.update(json.dumps(row, default=str, ensure_ascii=False).encode())
    return found.hexdigest()[:16]


def _placed(text: str, out: Path) -> str:
    return text.replace(str(out), "OUT").replace(str(SAMPLES), "SAMPLES")


def _page_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", text, flags=re.S)
        text = re.sub(r"</(p|h\d|tr|li|figcaption|caption|summary|div|section|dt|dd)>", "\n", text)
        text = unescape(re.sub(r"<[^>]+>", " ", text))
    lines = (re.sub(r"\s+", " ", line).strip() for line in text.splitlines())
    return _undated("\n".join(line for line in lines if line) + "\n")


def _undated(text: str) -> str:
    """Leave out what differs from run to run: the date of today, times and versions."""
    text = re.sub(r"\b20\d\d-\d\d-\d\d(?=\b)", lambda m: m[0] if m[0] < "2026-02" else "DATE", text)
    text = re.sub(r"\b\d+(\.\d+)? (s|seconds|minutes|min)\b", "TIME", text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def main(shared: str | None) -> None:
    """Write the checksums and texts of the samples, and of real histories where they are."""
    with tempfile.TemporaryDirectory() as name:
        sums, texts = outputs(sample_commands(Path(name)), Path(name))
    CHECKSUMS.write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")
    for name, text in texts.items():
        path = TEXTS / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if shared:
        with tempfile.TemporaryDirectory() as name:
            sums, _ = outputs(real_commands(Path(name), Path(shared) / "dumps"), Path(name))
        REAL_CHECKSUMS.write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
