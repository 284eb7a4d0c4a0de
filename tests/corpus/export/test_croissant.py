"""Croissant metadata: every column of every file, with addresses and checksums."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from sample_corpora import corpus
from wikibias.corpus.description import describe
from wikibias.corpus.export.croissant import croissant
from wikibias.corpus.features import columns
from wikibias.pipeline.manifest import load_recorded

FILES = {"sentences": {"train": "sentences/train.parquet"}, "pairs": {"dev": "pairs/dev.parquet"}}
PATHS = [path for of in FILES.values() for path in of.values()]


@pytest.mark.parametrize("numbered", [False, True])
def test_files_and_columns(numbered: bool) -> None:
    described = describe(load_recorded(corpus()))
    sums = {path: sha256(path.encode()).hexdigest() for path in PATHS}
    found = croissant(
        described, FILES, sums, dict.fromkeys(PATHS, 9), with_editors=False, numbered=numbered
    )
    assert found == json.loads(json.dumps(found, allow_nan=False))
    assert {of["contentUrl"]: of["sha256"] for of in found["distribution"]} == sums
    sets = {of["@id"]: of["field"] for of in found["recordSet"]}
    assert list(sets) == ["sentences/train", "pairs/dev"]
    for name, fields in sets.items():
        config, _, split = name.partition("/")
        wanted = [column.name for column in columns(config, with_editors=False)]
        assert [of["source"]["extract"]["column"] for of in fields] == wanted
        assert {of["source"]["fileObject"]["@id"] for of in fields} == {FILES[config][split]}
    of_label = next(of for of in sets["sentences/train"] if of["@id"].endswith("/label"))
    assert of_label["dataType"] == ("sc:Integer" if numbered else "sc:Text")
    of_tags = next(of for of in sets["sentences/train"] if of["@id"].endswith("/tags"))
    assert of_tags["repeated"] is True
    assert found["name"] == described.title
