"""Corpora of the sample dumps, one for each way of asking, built once in a test run."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from exports import wikibias
from paths import SAMPLES

DUMPS = {
    "en": SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z",
    "fr": SAMPLES / "demofrwiki-20260101-pages-meta-history.xml.bz2",
}


@cache
def corpus(lang: str = "en", *options: str) -> Path:
    """Return the result folder of a sample dump; tests must leave it as it is."""
    out = Path(mkdtemp(prefix="wikibias-")) / lang
    done = wikibias(
        "extract", "-q", "--lang", lang, "--workers", 1, *options, "-o", out, DUMPS[lang]
    )
    assert done.code == 0, done.err
    return out
