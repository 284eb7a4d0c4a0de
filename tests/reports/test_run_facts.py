from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from blocks import commands, facts, folded, notes, says, tables
from wikibias.reports import run_facts

MANIFEST: dict[str, Any] = {
    "wikibias": "0.1.0",
    "versions": {"python": "3.11.7"},
    "settings": {
        "detect": {
            "lang": "fr", "tagset": "reliability", "tagset_version": "ab", "families": [],
            "pairing": ["addition-edit"],
        },
        "diff": {"segmenter": None}, "filter": {"filters": "paper"}, "build": {"seed": 0},
    },
    "commands": {"detect": ["wikibias", "extract", "a b.xml"], "build": ["wikibias", "build", "o"]},
    "inputs": [
        {"part": "frwiki-20260101-p1.xml.7z", "path": "/home/orla/frwiki-20260101-p1.xml.7z",
         "size": 1234, "sha256": "ab" * 32, "wiki": "frwiki", "state": "whole", "error": None,
         "warnings": ["odd"]},
        {"part": "frwiki-20260201-p2", "wiki": "frwiki", "state": "failed", "error": "is cut off",
         "files": [{"path": "x/p2.bz2", "size": 5, "sha256": None}]},
    ],
    "counts": {"pages": 3, "revisions": 90, "removed": 4, "added": 5, "unreadable": 2},
    "verdicts": {"kept": 2, "spelling": 3},
    "corpus": {"removed": 5, "added": 5, "unchanged": 0, "splits": {}, "notes": ["few pages"]},
    "complete": False,
}  # fmt: skip


def test_what_it_is_holds_for_other_pairings_and_tag_sets() -> None:
    section = run_facts.about(MANIFEST)
    told = facts(section)
    assert told["wiki"] == "frwiki"
    assert told["dump of"] == "2026-01-01, 2026-02-01"
    assert told["revisions paired"] == "addition-edit"
    assert told["tag set"] == "reliability"
    assert "reliability tags" in says(section)[0]
    assert "took the tag out" not in " ".join([*says(section), *told.values()])
    assert (
        "of 5 pairs of revisions 2 were kept, which gave a corpus of 10 sentences"
        in (says(section)[-1])
    )


def test_limits_name_what_went_wrong() -> None:
    told = notes(run_facts.limits(MANIFEST))
    assert "Few pages." in told
    assert "frwiki-20260101-p1.xml.7z: odd." in told
    assert "frwiki-20260201-p2 failed: is cut off." in told
    assert "2 pages or revisions could not be worked out." in told


def test_provenance_names_files_without_their_folders() -> None:
    section = run_facts.provenance(MANIFEST, 3)
    assert [list(row) for row in tables(section)[0].rows] == [
        ["frwiki-20260101-p1.xml.7z", "1,234", "ab" * 8, "whole"],
        ["p2.bz2", "5", "–", "failed"],
    ]
    assert commands(section) == ["wikibias extract 'a b.xml'", "wikibias build o"]
    assert ["detect.pairing", "addition-edit"] in [*folded(section, "Settings").rows]
    assert ["detect.families", "–"] in [*folded(section, "Settings").rows]
    assert ["diff.segmenter", "–"] in [*folded(section, "Settings").rows]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*MANIFEST]), _JSON))
def test_no_manifest_is_an_error(odd: dict[str, Any]) -> None:
    for manifest in (odd, {**MANIFEST, **odd}):
        run_facts.about(manifest)
        run_facts.limits(manifest)
        run_facts.provenance(manifest, 0)
        run_facts.in_short(manifest)
