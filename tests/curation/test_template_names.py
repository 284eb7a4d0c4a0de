"""The templates that a wikitext calls, by title."""

from __future__ import annotations

from typing import Any

import pytest

from casefiles import cases
from wikibias.curation.template_names import TemplateNames
from wikibias.mediawiki.namespaces import TEMPLATE, Namespaces

NAMES = TemplateNames(Namespaces.of({TEMPLATE: "Modèle", 100: "Portail"}))


@pytest.mark.parametrize("case", cases("names"))
def test_names_that_a_wikitext_calls(case: dict[str, Any]) -> None:
    assert sorted(NAMES.of(case["text"])) == sorted(case["names"])
