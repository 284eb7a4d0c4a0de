"""Tag sets, matchers and prefilters of all languages, for tests of tag matching."""

from xml.sax.saxutils import escape

from hostile_texts import Kind
from wikibias.dumps.xml.revision_parser import compiled
from wikibias.mediawiki import TEMPLATE, Namespaces
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import names_pattern
from wikibias.tags.tagset import load_tagset, tagset_languages

# The local name of the Template namespace.
LOCAL = {"fr": "Modèle", "bg": "Шаблон"}
TAGSETS = {lang: load_tagset("npov", lang) for lang in tagset_languages()}
MATCHERS = {
    lang: Matcher(tagset, Namespaces.of({TEMPLATE: LOCAL.get(lang, "Template")}))
    for lang, tagset in TAGSETS.items()
}
NAMES = {lang: names_pattern(tagset, MATCHERS[lang].namespaces) for lang, tagset in TAGSETS.items()}
PATTERNS = {lang: compiled(pattern) for lang, pattern in NAMES.items()}
WRAPPERS = {
    lang: compiled(names_pattern(tagset, MATCHERS[lang].namespaces, wrappers_only=True))
    for lang, tagset in TAGSETS.items()
}
# Fragments of wikitext that make matching difficult, in any order.
FRAGMENTS = [
    *"{{POV}} {{POV|date=May}} {{POV {{Multiple_issues| {{Article_issues|POV=1|weasel= }}".split(),
    *"{{x| {{x}} }} | = [[ ]] [[a|b]] <!-- --> <nowiki> </nowiki> <nowiki </pre > {{{ }}}".split(),
    *"{ } -- word <ref> </ref> |peacock=June weasel= <pre>".split(),
    *"{{Multiple_issues|{{a}}}} {{Multiple_issues|{{POV}} {{{{ }}}} {{[[ ]]}} &amp; &lt;".split(),
    *["\n", " ", "\n", " ", " ", "{{P\u0301OV\u0323\u0301}}", "{{\u0130", "{{\n\nPOV\n"],
    *["{{Multiple\nissues|POV=1}}", "{{POV\ncheck"],
]


def in_xml(text: str) -> bytes:
    """Return a text as MediaWiki escapes it, with the end tag that follows it."""
    return escape(text, {'"': "&quot;"}).encode() + b"</text>"


def around_tags(text: str) -> list[Kind]:
    """Return kinds of text that nest and repeat wrappers and tags, `text` inside of each."""
    wrapper = "{{Multiple issues|"
    return [
        Kind("wrappers, open", wrapper + text),
        Kind("wrappers, nested", wrapper + text, close="}}"),
        Kind("wrappers with a tag, nested", wrapper + "POV=1|" + text, close="}}"),
        Kind("calls in nested wrappers", wrapper + "{{a}}{{b}}" + text, close="}}"),
        Kind("wrappers in a row", wrapper + "{{a}}" + text + "}}"),
        Kind("calls in a wrapper", "{{a}}" + text, before=wrapper, after="}}"),
        Kind("parameters of a wrapper", "|weasel=x" + text, before=wrapper, after="}}"),
        Kind("parameters of an open wrapper", "|weasel= " + text, before=wrapper),
        Kind("tags, nested", "{{POV|" + text, close="}}"),
        Kind("tags, nested in names", "{{POV " + text, close="}}"),
        Kind("tags, open", "{{POV|" + text),
        Kind("tags", "{{POV}}" + text),
        Kind("in wrappers and in no wrappers", wrapper + "{{x|{{a}}" + text, close="}}}}"),
    ]
