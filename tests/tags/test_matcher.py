"""Tag sets; tags that a wikitext calls, where each stands, and what it is about."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import kinds, slow
from matchers import LOCAL, MATCHERS, around_tags
from paths import cases
from wikibias.errors import UsageError
from wikibias.mediawiki import TEMPLATE, Namespaces
from wikibias.tags.matcher import Heading, Matcher, headings, place_of, without_number
from wikibias.tags.tagset import Scope, Tag, TagSet, load_tagset, read_tagset, tagset_languages
from wikibias.tags.template_parser import Call, ParsedWikitext, parse

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


def test_per_place_each_of_a_name_is_a_tag_of_its_own() -> None:
    matcher = Matcher(load_tagset("inline-cleanup", "en"), Namespaces.of({}), per_place=True)
    text = "A.{{fact}} B.{{who}} C.{{cn|date=May 2009}}\n"
    wanted = {"Citation needed": "fact", "Who": "who", "Citation needed#2": "cn"}
    assert matcher.tags(text) == matcher.settled_tags(text) == wanted
    assert [without_number(tag) for tag in wanted] == ["Citation needed", "Who", "Citation needed"]


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


def without(text: str) -> str:
    """Return an active wikitext without tags."""
    return MATCHERS["en"].without_tags(ParsedWikitext(text))


@pytest.mark.parametrize("function", [MATCHERS["en"].tags, MATCHERS["en"].settled_tags, without])
def test_no_text_takes_more_than_its_share_of_time(function: Callable[[str], object]) -> None:
    assert slow(function, kinds()) == {}
    for text in ("", "\n{{POV}}"):
        assert slow(function, around_tags(text), 3_000) == {}


def without_tags(text: str) -> str:
    """Return what `Matcher.without_tags` does, found letter by letter."""
    parsed = ParsedWikitext(text)
    gone = [False] * len(parsed.text)
    kept: list[Call] = []
    for call in parsed.calls:
        kind = kind_of(call.name)
        if kind == "other":
            kept = [inner for inner in kept if inner.start < call.start] + [call]
            continue
        stays = [c for c in kept if call.start < c.start < call.end] if kind == "wrapper" else []
        for at in range(call.start, call.end):
            gone[at] |= not any(inner.start <= at < inner.end for inner in stays)
    return "".join(letter for letter, out in zip(parsed.text, gone, strict=True) if not out)


def kind_of(name: str) -> str:
    """Return whether one of the names in FRAGMENTS is that of a tag, of a wrapper or of neither."""
    known = {"POV": "tag", "Multiple issues": "wrapper", "Article issues": "wrapper"}
    return known.get(" ".join(name.replace("_", " ").split()), "other")


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            "{{POV}} {{POV| {{Multiple_issues| {{Article_issues|POV=1|weasel= {{a| {{b}} }} }} }} "
            "| x [[ ]] {{{ }}} ".split(" ")
        ),
        max_size=25,
    ).map("".join)
)
def test_without_tags_agrees_with_plain_code(text: str) -> None:
    assert MATCHERS["en"].without_tags(ParsedWikitext(text)) == without_tags(text)


TEXT = "{}Lead.\n== Life ==\n{}Born.\n=== Youth ===\nSchool. Grand.{}\n== Death ==\nDied."


def about(text: str, scope: Scope, parameter: str = "") -> tuple[str, str]:
    """Return the section that the one tag in a text stands in, and what it is about."""
    parsed = parse(text)
    (call,) = parsed.calls
    tag = Tag("POV", "pov", scope, text=parameter)
    place = place_of(parsed.text, headings(parsed.text), call, tag)
    return place.section, parsed.text[place.start : place.end]


def test_headings_with_as_many_signs_as_both_sides_have() -> None:
    text = "== A ==\nb == c\n===D==\n=======E=======\n==\n"
    assert headings(text) == [
        Heading(0, 2, "A", 15),
        Heading(15, 2, "=D", 41),
        Heading(22, 6, "=E=", 41),
    ]


def test_an_article_tag_is_about_the_article() -> None:
    text = TEXT.format("{{POV}}", "", "")
    assert about(text, "article") == ("", text)
    assert about(TEXT.format("", "{{POV|Section}}", ""), "article")[1].startswith("== Life ==")


def test_a_section_tag_is_about_the_section_with_its_subsections() -> None:
    section, text = about(TEXT.format("", "{{POV}}", ""), "section")
    assert section == "Life"
    assert text.startswith("== Life ==")
    assert text.endswith("School. Grand.\n")
    assert about(TEXT.format("{{POV}}", "", ""), "section") == ("", "{{POV}}Lead.\n")


def test_an_inline_tag_is_about_its_line() -> None:
    assert about(TEXT.format("", "", "{{POV}}"), "inline") == ("Youth", "School. Grand.{{POV}}")


@pytest.mark.parametrize(
    ("call", "parameter", "said"),
    [
        ("{{POV|so grand|date=May}}", "1", "so grand"),
        ("{{POV|date=May|text= so grand}}", "text", " so grand"),
        ("{{POV|[[a=b]]}}", "1", "[[a=b]]"),
        ("{{POV|a + b = c}}", "1", ""),
    ],
)
def test_a_wrapping_tag_is_about_what_it_wraps(call: str, parameter: str, said: str) -> None:
    assert about(TEXT.format("", "", call), "wrapping", parameter) == ("Youth", said)


def test_a_wrapping_tag_that_wraps_nothing_is_about_its_line() -> None:
    for call in ("{{POV}}", "{{POV|date=May 2008}}", "{{POV| }}"):
        assert about(f"One.\nTwo{call}.\nThree.", "wrapping", "1")[1] == f"Two{call}."
    assert about("One.\nTwo {{POV|words}}.", "wrapping", "1")[1] == "words"


def test_every_shipped_tag_set_loads() -> None:
    assert {"bg", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv", "uk"} <= set(
        tagset_languages()
    )
    for lang in tagset_languages():
        tagset = load_tagset("npov", lang)
        assert tagset.lang == lang
        assert len(tagset.version) == 12


def test_the_names_published_with_the_2019_paper_are_tags(shared: Path) -> None:
    """Except names that cannot be tags; the tag-set files give the reasons."""
    left_out: dict[str, set[str]] = {
        "en": {"caselist undue influence", "pov map", "undue precision", "npov#undue weight"},
        "fr": {"ébauche journaliste", "pov pushing"},
        "bg": set(),
    }
    for lang, exempt in left_out.items():
        tagset = load_tagset("npov", lang)
        known = tagset.by_key()
        names = (shared / "wiki-bias" / f"tags.{lang}.txt").read_text(encoding="utf-8").split("\n")
        missing = [
            name
            for name in names
            if name.strip()
            and not re.search(r"[\[\]{}|=:]", name)
            and name.strip().lower() not in exempt
            and tagset.key(name) not in known
        ]
        assert missing == []


def test_the_version_follows_the_content(tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(XX, encoding="utf-8")
    first = read_tagset(path, "npov").version
    path.write_text("# a comment changes nothing\n" + XX, encoding="utf-8")
    assert read_tagset(path, "npov").version == first
    path.write_text(XX + "aliases = ['NPOV']", encoding="utf-8")
    assert read_tagset(path, "npov").version != first


def test_an_unknown_set_or_language_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'npov'"):
        load_tagset("npvo", "en")
    with pytest.raises(UsageError, match="no language 'xx'"):
        load_tagset("npov", "xx")


BROKEN = [
    ("lang = ", "not valid TOML"),
    ("lang = 'xx'", "tag is missing"),
    (XX + "colour = 'red'", "unknown key colour"),
    (XX.replace('"pov"', "3"), "family"),
    (XX + "scope = 'sections'", "unknown scope 'sections'; did you mean 'section'"),
    (XX + "aliases = ['a|b']", "cannot be the title"),
    (XX + "aliases = ['pov']", "stands under"),
    (XX + "[[wrapper]]\nname='W'\nparameters={a='PVO'}", "no tag 'PVO'"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN)
def test_a_broken_tag_set_names_file_and_mistake(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_tagset(path, "npov")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
