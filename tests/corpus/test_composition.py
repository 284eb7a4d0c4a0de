"""What a corpus is made of, in numbers."""

import json
from dataclasses import asdict, replace
from datetime import UTC, datetime

from made_edits import chosen_of, edit
from wikibias.corpus.composition import Composition, tallied


def test_it_goes_into_a_manifest() -> None:
    made = chosen_of([edit(removed=["The mill is grand."], added=["The mill is old."])]).composition
    assert Composition(**json.loads(json.dumps(asdict(made)))) == made
    assert made.total == 2


def test_days_servers_and_pairings() -> None:
    one = edit(removed=["The mill is grand."], added=["The mill is old."])
    (first, second) = chosen_of([one]).rows()
    source = replace(
        first.provenance,
        before_timestamp=datetime(2007, 1, 2, tzinfo=UTC),
        after_timestamp=datetime(2006, 3, 4, tzinfo=UTC),
        diff_url="https://fr.wikipedia.org/w/index.php?diff=2",
        pairing="tagged-span",
    )
    born = replace(source, before_timestamp=None, diff_url="http://[/", pairing="removal-edit")
    made = Composition()
    rows = [replace(first, provenance=source), replace(second, provenance=born)]
    assert list(tallied(rows, made)) == rows
    assert (made.first_day, made.last_day) == ("2006-03-04", "2007-01-02")
    assert made.sites == ["fr.wikipedia.org"]
    labels = {row.provenance.pairing: row.label for row in rows}
    assert {p: label for p, of in made.pairings.items() for label in of if of[label]} == labels


def test_without_rows_nothing_is_known() -> None:
    made = Composition()
    assert list(tallied([], made)) == []
    assert made == Composition()
