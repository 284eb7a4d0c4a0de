"""The template parser: calls and active wikitext, compared with plain code and mwparserfromhell."""

import re

import mwparserfromhell
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from hostile_texts import Kind, kinds, slow
from matchers import FRAGMENTS, MATCHERS, PATTERNS, WRAPPERS, around_tags, in_xml
from wikibias.mediawiki import Namespaces, template_name
from wikibias.tags import template_parser


def lefts(call: template_parser.Call) -> list[str]:
    """Return the text of each parameter up to its first sign."""
    return [parameter.left for parameter in call.parameters]


@given(st.text(alphabet="{}[]|a\n", max_size=60))
def test_calls_never_fail_and_are_in_the_text(text: str) -> None:
    for call in template_parser.calls(text):
        assert call.name in text
        assert all(parameter.left in text for parameter in call.parameters)
        assert text.startswith("{{", call.start)
        assert call.name in text[call.start : call.end]


@given(st.text(alphabet="}[]|a", max_size=9), st.text(alphabet="{}[]|a\n", max_size=60))
def test_text_outside_of_braces_changes_no_call(outside: str, text: str) -> None:
    found = [
        (c.name, lefts(c), c.start - len(outside)) for c in template_parser.calls(outside + text)
    ]
    assert found == [(c.name, lefts(c), c.start) for c in template_parser.calls(text)]


@given(st.lists(st.sampled_from(["<!--", "-->", "<nowiki>", "</nowiki>", "<pre>", "</pre>", "x"])))
def test_active_text_agrees_with_a_plain_loop(tokens: list[str]) -> None:
    text, kept, inside = "".join(tokens), list[str](), None
    for position, token in enumerate(tokens):
        if inside is not None:
            inside = None if token == inside else inside
        elif token == "<!--":
            inside = "-->"
        elif token in ("<nowiki>", "<pre>") and token.replace("<", "</") in tokens[position:]:
            inside = token.replace("<", "</")
        else:
            kept.append(token)
    assert template_parser.active(text).replace("\x00", "") == "".join(kept)


@settings(max_examples=100)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12), st.lists(st.sampled_from(FRAGMENTS)))
def test_what_follows_a_settled_prefix_changes_no_call(before: list[str], after: list[str]) -> None:
    prefix = "".join(before) + "\n"
    unclosed: list[int] = []
    shown = template_parser.settled_active(prefix)
    in_prefix = list(template_parser.calls(shown or "", unclosed))
    assert MATCHERS["en"].settled_tags(prefix) == (
        None if shown is None or unclosed else MATCHERS["en"].tags(prefix)
    )
    if shown is not None and not unclosed:
        in_rest = list(template_parser.calls(template_parser.active("".join(after))))
        whole = list(template_parser.calls(template_parser.active(prefix + "".join(after))))
        assert [c.name for c in whole] == [c.name for c in in_prefix + in_rest]
        assert whole[: len(in_prefix)] == in_prefix


# The exceptions in docs/limitations.md: a name that contains markup, or a line break between words,
# or is empty; braces in runs of four and more; two parameters in the name of a parameter.
EXCEPTIONS = re.compile(
    r"""(?x) \{\{ [^{}|]* (?: \[\[ | \{\{ | \x00 ) | \{\{ [^{}|]* \S \s* \n \s* [^\s|}]
    | \{\{ \s* (?: \| | \}\} ) | \{{4,} | \}{5,} | \}{3} [^=]* \{{3} [^=]* ="""
)
WIKITEXTS = st.recursive(
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


def called(text: str) -> list[str]:
    """Return the templates that our parser finds."""
    return sorted(
        name
        for c in template_parser.calls(template_parser.active(text))
        if (name := template_name(c.name, Namespaces.of({})))
    )


def called_by_mwparserfromhell(text: str) -> list[str]:
    """Return the templates that mwparserfromhell finds, also inside arguments and links."""
    code = mwparserfromhell.parse(text, skip_style_tags=True)
    named = [str(node.name) for node in code.filter_templates(recursive=True)]
    names = [template_name(template_parser.active(name), Namespaces.of({})) for name in named]
    return sorted(name for name in names if name)


@given(WIKITEXTS)
def test_calls_agree_with_mwparserfromhell(text: str) -> None:
    """For any wikitext except the exceptions listed in docs/limitations.md, "Finding tags"."""
    assume(not EXCEPTIONS.search(template_parser.active(text)))
    assert called(text) == called_by_mwparserfromhell(text)


TOKENS = st.lists(
    st.sampled_from(["{{", "}}", "[[", "]]", "{{a|", "{{POV}}", "POV", "|", "x=y", "\n", " "]),
    max_size=14,
).map("".join)


def balanced(text: str) -> bool:
    """Return whether braces and brackets are closed in order."""
    waiting: list[str] = []
    for mark in re.findall(r"\{\{|\}\}|\[\[|\]\]", text):
        if mark in ("{{", "[["):
            waiting.append(mark)
        elif not waiting or waiting.pop() != {"}}": "{{", "]]": "[["}[mark]:
            return False
    return not waiting


@given(TOKENS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much])
def test_calls_agree_with_mwparserfromhell_on_loose_braces(text: str) -> None:
    """If they are balanced; unclosed braces are another exception."""
    assume(balanced(text) and not re.search(r"[{}\[\]]{3}", text) and not EXCEPTIONS.search(text))
    assert called(text) == called_by_mwparserfromhell(text)


def read_all(text: str) -> None:
    """Read the name and the parameters of each call of a text."""
    for call in template_parser.calls(template_parser.active(text)):
        assert len(call.name) <= template_parser.LONGEST_NAME + 1
        for parameter in call.parameters:
            assert parameter.start <= parameter.end


def test_no_text_takes_more_than_its_share_of_time() -> None:
    mixed = [
        Kind("bars at the end", "{{a|", close="|}}"),
        Kind("bars in all", "{{a|x|y", close="}}"),
        Kind("in names and parameters", "{{a{{b|", close="}}}}"),
        Kind("no bars", "{{", close="}}"),
    ]
    assert slow(read_all, kinds(), 1_500) == {}
    assert slow(read_all, mixed, 20_000) == {}


_END = len(b"</text>")


def decides(old: str, new: str) -> bool:
    """Return whether incremental matching decides that two texts have the same tags."""
    return template_parser.same_tags(
        in_xml(old)[:-_END], in_xml(new)[:-_END], PATTERNS["en"], WRAPPERS["en"]
    )


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=10),
    st.lists(st.sampled_from(FRAGMENTS), max_size=5),
    st.lists(st.sampled_from(FRAGMENTS), max_size=5),
    st.lists(st.sampled_from(FRAGMENTS), max_size=10),
)
@example(["{{Multiple_issues|", " "], ["word"], ["weasel=x"], [" ", "}}"])
@example(["<!--", "\n"], ["word"], ["-->"], ["\n", "{{POV}}"])
def test_texts_that_it_calls_equal_have_the_same_tags(
    before: list[str], old: list[str], new: list[str], after: list[str]
) -> None:
    one, other = ("".join([*before, *change, *after]) for change in (old, new))
    if decides(one, other):
        assert MATCHERS["en"].tags(one) == MATCHERS["en"].tags(other)


def test_changed_words_and_whole_templates_need_no_exact_matcher() -> None:
    text = "{{POV}}\nA village on the [[left bank]] of the river.\n"
    assert decides(text, text.replace("left", "right"))
    assert decides(text, text.replace("river", "river {{cite web|url=x}}"))


def test_a_changed_tag_or_an_unclosed_comment_needs_the_exact_matcher() -> None:
    text = "{{POV}}\nA village.\n"
    assert not decides(text, text.replace("{{POV}}", "{{Weasel}}"))
    assert not decides(text, text.replace("A village", "<!-- A village"))


def change(text: str) -> bool:
    """Compare a text with one that has a word more at its end."""
    return decides(text + "\n{{x}} of the mill\n", text + "\n{{x}} of the river mill\n")


def test_no_text_takes_more_than_its_share_of_time_of_incremental() -> None:
    assert slow(change, kinds()) == {}
    for text in ("", " ", "\n"):
        assert slow(change, around_tags(text), 8000) == {}
