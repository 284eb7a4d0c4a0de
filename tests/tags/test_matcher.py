"""The exact matcher finds the tags that a wikitext calls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from matchers import LOCAL, MATCHERS
from wikibias.mediawiki.namespaces import TEMPLATE, Namespaces
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet, load_tagset, read_tagset

XX = """
lang = "xx"
ignore_case = true
[[tag]]
name = "POV"
family = "pov"
"""


@pytest.fixture(scope="module")
def tagsets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TagSet]:
    """Return tag sets of some languages, and one of a synthetic language."""
    path = tmp_path_factory.mktemp("sets") / "xx.toml"
    path.write_text(XX, encoding="utf-8")
    known = {lang: load_tagset("npov", lang) for lang in ("en", "fr", "bg", "ja", "zh")}
    return {**known, "xx": read_tagset(path, "npov")}


@pytest.mark.parametrize("case", cases("calls"))
def test_tags_of_a_wikitext(case: dict[str, Any], tagsets: dict[str, TagSet]) -> None:
    lang = case.get("lang", "en")
    declared = {TEMPLATE: (case.get("namespaces") or [LOCAL.get(lang, "")])[0]}
    matcher = Matcher(tagsets[lang], Namespaces.of(declared))
    assert sorted(matcher.tags(case["text"])) == sorted(case["tags"])


def test_an_alias_is_returned_as_written() -> None:
    assert MATCHERS["en"].tags("{{ npov |x}}{{Article issues|peacock=1}}") == {
        "POV": "npov",
        "Peacock": "Article issues|peacock",
    }


def test_case_matters_after_the_first_letter_unless_the_set_ignores_it(tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(XX.replace("true", "false"), encoding="utf-8")
    matcher = Matcher(read_tagset(path, "npov"), Namespaces.of({}))
    assert matcher.tags("{{pOV}}") == {"POV": "pOV"}
    assert matcher.tags("{{Pov}}") == {}


@given(
    before=st.text(alphabet="a{}[]|<!->\n "),
    spaces=st.sampled_from(["", " ", "\n", " \n "]),
    prefix=st.sampled_from(["", "Template:", "template: ", ":Template:", "msg:"]),
    name=st.sampled_from(["POV", "pov", "NPOV", "POV_check", "pov  CHECK"]),
    parameters=st.sampled_from(["", "|", "|date=May", "|a|b=[[c|d]]", "|x={{y|z}}", "|<!-- x -->"]),
    after=st.text(alphabet="a{}[]|<>\n "),
)
def test_a_call_on_its_own_line_of_balanced_text_is_found(
    before: str, spaces: str, prefix: str, name: str, parameters: str, after: str
) -> None:
    """Whatever is around it, as long as nothing is open that the call would be inside of."""
    before = re.sub(r"[{<\[]", "", before)
    after = re.sub(r"^[}]", "", after)
    text = f"{before}\n{{{{{spaces}{prefix}{name}{spaces}{parameters}}}}}\n{after}"
    assert "POV" in MATCHERS["en"].tags(text)
