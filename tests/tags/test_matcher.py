"""Tag sets, and the matcher that finds their templates in wikitext."""

from __future__ import annotations

import re

import mwparserfromhell
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from casefiles import cases
from wikibias.errors import UsageError
from wikibias.mediawiki.namespaces import TEMPLATE, Namespaces, template_name
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset, read_tagset, tagset_languages
from wikibias.tags.template_parser import active, calls

XX = """
lang = "xx"
ignore_case = true
[[tag]]
name = "POV"
family = "pov"
"""


@pytest.fixture(scope="module")
def tagsets(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "xx.toml"
    path.write_text(XX, encoding="utf-8")
    known = {lang: load_tagset("npov", lang) for lang in ("en", "fr", "bg", "ja", "zh")}
    return {**known, "xx": read_tagset(path, "npov")}


LOCAL = {"fr": "Modèle", "bg": "Шаблон"}


@pytest.mark.parametrize("case", cases("calls"))
def test_tags_of_a_wikitext(case, tagsets):
    lang = case.get("lang", "en")
    declared = {TEMPLATE: (case.get("namespaces") or [LOCAL.get(lang, "")])[0]}
    matcher = Matcher(tagsets[lang], Namespaces.of(declared))
    assert sorted(matcher.tags(case["text"])) == sorted(case["tags"])


def test_alias_is_given_as_it_was_written(tagsets):
    matcher = Matcher(tagsets["en"], Namespaces.of({}))
    assert matcher.tags("{{ npov |x}}{{Article issues|peacock=1}}") == {
        "POV": "npov",
        "Peacock": "Article issues|peacock",
    }


def test_case_counts_beyond_the_first_letter_unless_the_set_says_otherwise(tmp_path):
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
    before, spaces, prefix, name, parameters, after
):
    """Whatever stands around it, as long as that opens nothing that the call would be inside of."""
    before = re.sub(r"[{<\[]", "", before)
    after = re.sub(r"^[}]", "", after)
    text = f"{before}\n{{{{{spaces}{prefix}{name}{spaces}{parameters}}}}}\n{after}"
    assert "POV" in Matcher(load_tagset("npov", "en"), Namespaces.of({})).tags(text)


@given(st.text(alphabet="{}[]|a\n", max_size=60))
def test_calls_never_fail_and_lie_in_the_text(text):
    for call in calls(text):
        assert call.name in text
        assert all(parameter in text for parameter in call.parameters)
        assert text.startswith("{{", call.start)
        assert call.name in text[call.start : call.end]


@given(st.text(alphabet="}[]|a", max_size=9), st.text(alphabet="{}[]|a\n", max_size=60))
def test_what_stands_outside_of_braces_changes_no_call(outside, text):
    found = [(c.name, c.parameters, c.start - len(outside)) for c in calls(outside + text)]
    assert found == [(c.name, c.parameters, c.start) for c in calls(text)]


@given(st.lists(st.sampled_from(["<!--", "-->", "<nowiki>", "</nowiki>", "<pre>", "</pre>", "x"])))
def test_active_text_agrees_with_a_plain_scan(pieces):
    """Hold the scan against one that walks the pieces one by one."""
    text, kept, inside = "".join(pieces), [], None
    for position, piece in enumerate(pieces):
        if inside is not None:
            inside = None if piece == inside else inside
        elif piece == "<!--":
            inside = "-->"
        elif piece in ("<nowiki>", "<pre>") and piece.replace("<", "</") in pieces[position:]:
            inside = piece.replace("<", "</")
        else:
            kept.append(piece)
    assert active(text).replace("\x00", "") == "".join(kept)


def test_every_shipped_tag_set_loads_and_says_how_sure_it_is():
    assert {"bg", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv", "uk"} <= set(
        tagset_languages()
    )
    for lang in tagset_languages():
        tagset = load_tagset("npov", lang)
        assert tagset.lang == lang
        assert len(tagset.version) == 12


def test_the_peers_names_are_in(shared):
    """Every name of the 2019 lists is a tag, but for those that can be none; see the files."""
    left_out = {
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
def test_a_broken_tag_set_names_file_and_place(content, said, tmp_path):
    path = tmp_path / "xx.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_tagset(path, "npov")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_version_follows_the_content(tmp_path):
    path = tmp_path / "xx.toml"
    path.write_text(XX, encoding="utf-8")
    first = read_tagset(path, "npov").version
    path.write_text("# a comment changes nothing\n" + XX, encoding="utf-8")
    assert read_tagset(path, "npov").version == first
    path.write_text(XX + "aliases = ['NPOV']", encoding="utf-8")
    assert read_tagset(path, "npov").version != first


def test_unknown_set_and_language_name_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'npov'"):
        load_tagset("npvo", "en")
    with pytest.raises(UsageError, match="no language 'xx'"):
        load_tagset("npov", "xx")


# The exceptions of docs/limitations.md: a name that holds markup, or a line break between words,
# or is empty; braces in runs of four and more; two parameters in the name of a parameter.
EXCEPTIONS = re.compile(
    r"""(?x) \{\{ [^{}|]* (?: \[\[ | \{\{ | \x00 ) | \{\{ [^{}|]* \S \s* \n \s* [^\s|}]
    | \{\{ \s* (?: \| | \}\} ) | \{{4,} | \}{5,} | \}{3} [^=]* \{{3} [^=]* ="""
)
PIECES = st.recursive(
    st.sampled_from(["POV", "a", " ", "|", "x=y", "[[b|c]]", "\n", "{{{1|d}}}", "''e''", "NPOV"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        inner.map(lambda t: "{{" + t + "}}"),
        inner.map(lambda t: "{{POV|" + t + "}}"),
        inner.map(lambda t: "<!-- " + t.replace("--", "") + " -->"),
        inner.map(lambda t: "<nowiki>" + t + "</nowiki>"),
    ),
    max_leaves=12,
)


def called(text):
    return sorted(
        name for c in calls(active(text)) if (name := template_name(c.name, Namespaces.of({})))
    )


def called_for_the_parser(text):
    """Return what mwparserfromhell finds, in any template, argument or link, however deep."""
    code = mwparserfromhell.parse(text, skip_style_tags=True)
    named = [str(node.name) for node in code.filter_templates(recursive=True)]
    names = [template_name(active(name), Namespaces.of({})) for name in named]
    return sorted(name for name in names if name)


@given(PIECES)
@settings(max_examples=200)
def test_calls_agree_with_mwparserfromhell(text):
    """For any wikitext but the exceptions that docs/limitations.md lists under "Finding tags"."""
    assume(not EXCEPTIONS.search(active(text)))
    assert called(text) == called_for_the_parser(text)


TOKENS = st.lists(
    st.sampled_from(["{{", "}}", "[[", "]]", "{{a|", "{{POV}}", "POV", "|", "x=y", "\n", " "]),
    max_size=14,
).map("".join)


def balanced(text):
    """Return whether every brace and bracket is closed, by its like, before what it stands in."""
    waiting = []
    for mark in re.findall(r"\{\{|\}\}|\[\[|\]\]", text):
        if mark in ("{{", "[["):
            waiting.append(mark)
        elif not waiting or waiting.pop() != {"}}": "{{", "]]": "[["}[mark]:
            return False
    return not waiting


@given(TOKENS)
@settings(max_examples=200, suppress_health_check=[HealthCheck.filter_too_much])
def test_calls_agree_with_mwparserfromhell_on_loose_braces(text):
    """Where they are balanced; what is never closed is another exception."""
    assume(balanced(text) and not re.search(r"[{}\[\]]{3}", text) and not EXCEPTIONS.search(text))
    assert called(text) == called_for_the_parser(text)
