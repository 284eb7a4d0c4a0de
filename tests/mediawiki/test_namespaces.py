"""Namespaces by local and canonical names, and the template that a call names."""

from __future__ import annotations

import pytest

from wikibias.mediawiki.titles import FILE, TEMPLATE, USER, Namespaces, template_name

FRENCH = Namespaces.of({TEMPLATE: "Modèle", 100: "Portail"}, {"user": ["Utilisatrice"]})


@pytest.mark.parametrize(
    ("number", "prefix"),
    [
        (TEMPLATE, "Modèle"),
        (TEMPLATE, "mod\u00e8le "),
        (TEMPLATE, "Template"),
        (FILE, "Image"),
        (USER, "utilisatrice"),
    ],
)
def test_a_namespace_has_local_canonical_and_configured_names(number: int, prefix: str) -> None:
    assert FRENCH.has(number, prefix)


def test_a_prefix_of_another_namespace_is_known_but_not_a_template() -> None:
    assert FRENCH.knows("portail")
    assert not FRENCH.has(TEMPLATE, "portail")
    assert not FRENCH.knows("Weasel")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (" POV ", "POV"),
        ("Modèle:POV", "POV"),
        ("template: POV", "POV"),
        (":Template:POV", "POV"),
        ("msg:POV", "POV"),
        ("POV#top", "POV"),
        ("caf&eacute;", "café"),
        (":POV", None),
        ("#if:x", None),
        ("  ", None),
    ],
)
def test_the_template_that_a_call_names(call: str, name: str | None) -> None:
    assert template_name(call, FRENCH) == name
