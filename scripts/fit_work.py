"""Prints what a dump holds that costs something, as JSON: the amounts of the cost model.

python scripts/fit_work.py FORM DUMP
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from wikibias.config.thresholds import load_config
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.parts import Part, find_parts
from wikibias.dumps.sources import open_dump
from wikibias.dumps.xml import fast_reader
from wikibias.pipeline import runner, stages
from wikibias.pipeline.making_settings import make_settings
from wikibias.planning.cost_model import Form, Work
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import TagScanner

_MB = 1e6


def work_of(path: str, form: Form) -> Work:
    """Return what a dump holds, from reading it twice: once as such, once by `detect`."""
    parts = find_parts([path])
    size = articles = revisions = calls = 0
    packed = sum(Path(file).stat().st_size for part in parts for file in part.files)
    plain = sum(_plain_size(file) for part in parts for file in part.files)
    for part in parts:
        with open_dump(part, fast_reader.read) as (dump, _):
            for page in dump.pages:
                for revision in page.revisions:
                    text = revision.text or ""
                    revisions += 1
                    size += len(text)
                    if page.namespace == 0:
                        articles += len(text)
                        calls += text.count("{{")
    matching, found = _detected(parts)
    counts = found["counts"]
    return Work(
        form=form,
        parts=len(parts),
        packed_mb=packed / _MB,
        mb=plain / _MB,
        article_share=articles / size if size else 0.0,
        revisions=revisions,
        hits=matching["hits"],
        matches=matching["matches"],
        transitions=counts["removed"] + counts["added"],
        tagged_parts=sum(
            bool(entry["counts"]["removed"] + entry["counts"]["added"]) for entry in found["inputs"]
        ),
        calls=calls,
    )


def _plain_size(file: str) -> int:
    with open_part(file) as (stream, _):
        return sum(map(len, iter(lambda: stream.read(1 << 20), b"")))


def _detected(parts: Sequence[Part]) -> tuple[Counter[str], dict[str, Any]]:
    """Return how often the scanner compares and the matcher matches, and the manifest."""
    calls: Counter[str] = Counter()
    with ExitStack() as stack, tempfile.TemporaryDirectory() as out:
        stack.enter_context(_counted(TagScanner, "tags", calls, "hits"))
        for method in ("tags", "settled_tags"):
            stack.enter_context(_counted(Matcher, method, calls, "matches"))
        settings = make_settings("en", load_config())
        found = runner.run(Path(out), parts, settings, stages.STAGES[:1])
    return calls, found


@contextmanager
def _counted(kind: Any, method: str, calls: Counter[str], name: str) -> Iterator[None]:
    before = getattr(kind, method)

    def counted(*arguments: Any) -> Any:
        calls[name] += 1
        return before(*arguments)

    setattr(kind, method, counted)
    try:
        yield
    finally:
        setattr(kind, method, before)


if __name__ == "__main__":
    print(json.dumps(asdict(work_of(sys.argv[2], cast(Form, sys.argv[1])))))
