"""Where a tag stands, its target, and the sentences of the target alone."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Page, Revision, body, dumped, rows
from histories import MATCHER, history
from hostile_texts import Kind
from paths import cases
from results import extract
from wikibias.config.languages import load_language
from wikibias.mediawiki import Namespaces
from wikibias.pipeline.enrichment import cleaning_rules
from wikibias.records import Paragraph, Sentence, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.tags.template_parser import parse
from wikibias.text.segmentation import Segmenter, paragraphs_of
from wikibias.transitions import tag_targets
from wikibias.transitions.tag_targets import EditScope, TargetFinder, edit_scope

Finders = dict[str, TargetFinder]


def finder(lang: str, name: str = "npov") -> TargetFinder:
    tagset, language = load_tagset(name, lang), load_language(lang)
    namespaces = Namespaces.of({}, language.namespaces)
    rules = cleaning_rules(language, namespaces, tagset, 10**6)
    return TargetFinder(Matcher(tagset, namespaces), tagset, rules, Segmenter(language))


@pytest.fixture(scope="module")
def finders() -> Finders:
    return {lang: finder(lang) for lang in ("en", "fr", "cs")}


@pytest.mark.parametrize("case", cases("tag_targets"))
def test_the_target_of_a_tag(case: dict[str, Any], finders: Finders) -> None:
    found = finders[case.get("lang", "en")].targets(parse(case["text"]), [case["tag"]])
    assert found.scope == (case["scope"],)
    assert found.section == (case.get("section", ""),)
    assert found.pointed_at == (case.get("pointed_at", ""),)


def test_tags_in_order(finders: Finders) -> None:
    text = "{{POV}} Lead.\n== Life ==\n{{Weasel section}}\nA word{{POV statement}} here."
    found = finders["en"].targets(parse(text), ["POV", "POV statement", "Weasel section"])
    assert found.scope == ("article", "inline", "section")
    assert found.section == ("", "Life", "Life")
    assert found.pointed_at == ("", "A word here.", "Life")


def test_what_a_tag_pointed_at_that_is_gone() -> None:
    found = finder("en", "inline-cleanup")
    before = parse("One mill.{{fact}} A church.{{cn}}\n\nA new road.{{cn}}")
    after = parse("One mill.{{fact}} A church.\n\nA new road.{{fact}}")
    tags = ["Citation needed#3"]
    assert found.targets(before, tags, after).pointed_at == ("A church.",)
    assert found.targets(before, tags).pointed_at == ("One mill.\nA church.\nA new road.",)
    assert found.targets(after, tags, before).pointed_at == ("",)


PRAISE = "The mill is the most splendid mill that the whole valley has ever seen."
CLAIM = "Nobody but a fool has ever doubted the honour of the great builder."
PLAIN = "A survey of the county lists the mill among the nine mills of the valley."


def test_scope_tagged_is_what_tags_are_about(tmp_path: Path) -> None:
    first = f"{PRAISE}\n\n{body(1)}\n== Life ==\n"
    tagged = {
        f"{first}{{{{POV section}}}}\n{CLAIM}": [CLAIM],
        f"{first}{CLAIM}{{{{POV statement}}}}": [CLAIM],
        f"{{{{POV section}}}}{first}{CLAIM}": [PRAISE],
        f"{{{{POV}}}}{first}{CLAIM}": [PRAISE, CLAIM],
        f"{first}{{{{POV|section}}}}\n{CLAIM}": [CLAIM],
    }
    mended = Revision(f"{PLAIN}\n\n{body(1)}\n")
    pages = [Page(f"Mill {n}", [Revision(text), mended]) for n, text in enumerate(tagged)]
    extract(tmp_path / "o", "-q", "--scope", "tagged", dumped(tmp_path, pages)).silent()
    assert [row["removed"] for row in rows(tmp_path / "o", "diffs")] == [*tagged.values()]


class TestManyTags:
    """Many tags in one line or in sections in sections: each is a line to clean and to split."""

    KINDS = (
        Kind("inline", "Some words of it.{{POV-statement}} "),
        Kind("wrapping", "Some words {{Peacock term|of it}}. "),
        Kind("wrapping, nested", "{{Peacock term|of it ", close="}}"),
        Kind("in sections", "{{Weasel section}}\nA word.\n", before="=a=\n"),
        Kind("in many sections", "=a=\n{{Weasel section}}\n"),
        Kind("in sections of sections", "==a==\n======b======\n", before="=a=\n{{Weasel section}}"),
        Kind("in the longest heading", "a ", before="=", after="=\n{{POV}}{{Weasel}}"),
    )

    def test_they_take_no_more_than_their_share_of_time(
        self, finders: Finders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whatever cleaning takes, it gets no more than a number of characters of each text."""
        given: list[int] = []

        def measured(wikitext: str, rules: object) -> list[Paragraph]:
            given.append(len(wikitext))
            return paragraphs_of(wikitext)

        monkeypatch.setattr("wikibias.text.cleaning.visible_paragraphs", measured)
        tags = [tag.name for tag in load_tagset("npov", "en").tags]
        for kind in self.KINDS:
            text = kind.text(100_000)
            given.clear()
            finders["en"].targets(parse(text), tags)
            assert sum(given) <= 300_000, kind.name
            given.clear()
            finders["en"].sentences_within(parse(text), tags, [])
            assert sum(given) <= 300_000 + len(text), kind.name

    def test_too_many_to_compare_are_only_looked_up(self) -> None:
        few = [Sentence("A b c.", "a b c")]
        within = tag_targets._one_of(["b", "a b c d"], few)
        assert within("a b c")
        assert not within("c a")
        many = tag_targets._one_of(["b", "a b c", "x" * 20_000], few * 10_000)
        assert many("a b c")
        assert not many("a b")


PIECES = ["{{POV}}", "{{stub}}", "{{Multiple issues|{{POV}}}}", "a", "bc", " ", "\n", "<!-- b -->"]


def scopes(texts: list[str], editors: str) -> list[EditScope]:
    """Return the scopes of the edits that removed tags."""
    found = history(texts, editors=editors)
    return [scope_of(t) for t in found if t.provenance.kind == "removed"]


def scope_of(found: Transition) -> EditScope:
    base = found.session_base_text
    return edit_scope(
        parse(found.before_text),
        parse(found.after_text),
        MATCHER,
        None if base is None else parse(base),
    )


@pytest.mark.parametrize(
    ("texts", "editors", "expected"),
    [
        (["{{POV}} a", "a"], "EF", (False, True)),
        (["{{POV}} a", "b"], "EF", (True, False)),
        (["{{POV}} a", "{{POV}} b", "b"], "EFF", (True, True)),
        (["{{POV}} a", "{{POV}} b", "b"], "EFG", (False, True)),
        (["{{POV}}\n\n a", "<!-- done -->a"], "EF", (False, True)),
        (["{{Article issues|POV=May}} {{stub}} a", "{{stub}} a"], "EF", (False, True)),
        (["{{Multiple issues|{{POV}}{{cn}}}} a", "{{cn}} a"], "EF", (False, True)),
        (["{{POV}} {{stub}} a", "a"], "EF", (True, False)),
    ],
)
def test_scope_of_the_edit_that_removes_a_tag(
    texts: list[str], editors: str, expected: tuple[bool, bool]
) -> None:
    assert scopes(texts, editors) == [EditScope(*expected)]


@given(
    st.lists(st.lists(st.sampled_from(PIECES)).map("".join), min_size=2, max_size=4),
    st.text("EF", min_size=4, max_size=4),
)
def test_scope_agrees_with_comparing_all_words(texts: list[str], editors: str) -> None:
    def words(text: str) -> list[str]:
        return MATCHER.without_tags(parse(text)).split()

    expected = []
    for n in range(1, len(texts)):
        if MATCHER.tags(texts[n - 1]).keys() - MATCHER.tags(texts[n]).keys():
            first = n
            while first and editors[first - 1] == editors[n]:
                first -= 1
            before = words(texts[first - 1]) if first else []
            after = words(texts[n])
            expected.append(EditScope(before != after, words(texts[n - 1]) == after))
    assert scopes(texts, editors[: len(texts)]) == expected
