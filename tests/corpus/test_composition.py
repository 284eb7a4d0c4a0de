"""What a corpus is made of, in numbers."""

from __future__ import annotations

import json
from dataclasses import asdict

from made_edits import chosen_of, edit
from wikibias.corpus.composition import Composition


def test_it_goes_into_a_manifest() -> None:
    made = chosen_of([edit(removed=["The mill is grand."], added=["The mill is old."])]).composition
    assert Composition(**json.loads(json.dumps(asdict(made)))) == made
    assert made.total == 2
