from datetime import timedelta
from pathlib import Path

from histories import START
from made_transitions import Told, transitions_of, write_transitions
from wikibias.reports.corpus_sections import ALL, tag_durations
from wikibias.reports.corpus_statistics import in_days


def test_lives_of_a_folder_are_those_of_its_tags(tmp_path: Path) -> None:
    pages = [
        Told(1, "A", ["x", "{{POV}} x", "y"], [0, 24, 72]),
        Told(2, "B", ["x", "{{Weasel}} x"], [0, 24]),
    ]
    folder = write_transitions(
        tmp_path, "p", transitions_of(pages), newest=START + timedelta(days=11)
    )
    found = tag_durations(folder)
    assert found is not None
    assert (list(found["POV"].lives.days), found["POV"].standing) == ([2], 0)
    assert (list(found["Weasel"].lives.days), found["Weasel"].standing) == ([10], 1)
    assert (len(found[ALL].lives), sum(found[ALL].lives.has_ended), found[ALL].standing) == (
        2,
        1,
        1,
    )


def test_a_folder_without_transitions_has_none(tmp_path: Path) -> None:
    assert tag_durations(tmp_path) is None


def test_days_are_told_in_words() -> None:
    assert [in_days(days) for days in (0.2, 1.2, 1234.0)] == [
        "less than a day",
        "1 day",
        "1,234 days",
    ]
