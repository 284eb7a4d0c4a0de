"""Estimates: ranges in order, sums over parts, and the form to fetch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.planning.cost_model import TASKS, load_costs
from wikibias.planning.estimate import Estimate, estimate, part_seconds, work_of
from wikibias.planning.inventory import Inventory
from wikibias.planning.ratios import Range, load_ratios

WORKERS = (1, 16, 256)


def of(speed: float = 1.0, stubs: int | None = None, **parts: list[int]) -> Estimate:
    """Estimate a dump: s7z is its size as 7z."""
    forms = {form.removeprefix("s"): sizes for form, sizes in parts.items()}
    inventory = Inventory("bgwiki", "20260101", "x", forms, stubs)  # type: ignore[arg-type]
    return estimate(inventory, load_costs(), load_ratios(), workers=WORKERS, speed=speed)


def ranges(found: Estimate) -> list[Range]:
    """Return all ranges of an estimate."""
    tasks = [task for form in found.forms.values() for task in form.tasks.values()]
    return [
        *(found.xml_bytes, found.revisions, found.transitions),
        *(form.download_hours for form in found.forms.values()),
        *(task.core_hours for task in tasks),
        *(each for task in tasks for each in task.hours.values()),
        *(task.output_bytes for task in tasks),
    ]


@given(
    st.lists(st.integers(1, 10**11), min_size=1, max_size=20), st.none() | st.integers(1, 10**11)
)
def test_more_workers_are_never_slower_and_ranges_are_in_order(
    sizes: list[int], stubs: int | None
) -> None:
    found = of(s7z=sizes, bz2=[6 * size for size in sizes], stubs=stubs)
    assert all(0 <= r.low <= r.mid <= r.high for r in ranges(found))
    for form in found.forms.values():
        for task in form.tasks.values():
            one, some, many = (task.hours[number].mid for number in WORKERS)
            assert one >= some * 0.999999
            assert some >= many * 0.999999
            assert one == pytest.approx(task.core_hours.mid)
            assert task.hours[1].as_dict() == pytest.approx(task.core_hours.as_dict(), rel=0.001)
            assert many >= task.core_hours.mid / 256 * 0.999999


def test_a_core_of_twice_the_speed_takes_half_the_time() -> None:
    slow, fast = of(s7z=[10**9]), of(speed=2.0, s7z=[10**9])
    for task in TASKS:
        hours = [found.forms["7z"].tasks[task].core_hours.mid for found in (slow, fast)]
        assert hours[0] == pytest.approx(2 * hours[1])
    assert slow.forms["7z"].download_hours == fast.forms["7z"].download_hours


def test_stubs_tell_the_revisions_better() -> None:
    assert of(s7z=[10**9]).revisions.high / of(s7z=[10**9]).revisions.low > 2
    known = of(s7z=[10**9], stubs=84 * 10**6).revisions
    assert known.mid == pytest.approx(10**6)
    assert known.high / known.low < 1.5


def test_both_forms_hold_the_same_xml_and_7z_is_fetched() -> None:
    found = of(s7z=[10**9], bz2=[6 * 10**9])
    assert found.xml_bytes == of(s7z=[10**9]).xml_bytes
    best, hours = found.best()
    assert best == "7z"
    assert hours["7z"] < hours["bz2"]
    assert of(bz2=[6 * 10**9]).best()[0] == "bz2"


def test_no_more_memory_than_parts_need() -> None:
    task = of(s7z=[10**8, 10**8]).forms["7z"].tasks["extract"]
    assert task.memory_mb[16] == task.memory_mb[256]
    assert task.memory_mb[1] < task.memory_mb[16] < 4 * task.worker_memory_mb


def test_the_disk_holds_the_dump_and_the_result() -> None:
    form = of(s7z=[10**8]).forms["7z"]
    written = form.tasks["detect"].output_bytes
    assert form.disk_bytes("detect") == Range(
        10**8 + written.low, 10**8 + written.mid, 10**8 + written.high
    )


def test_the_parts_take_as_long_as_the_whole() -> None:
    sizes = [10**8, 3 * 10**8, 10**7]
    model, facts = load_costs(), load_ratios().wikis["small"]
    work = work_of(Inventory("x", "y", "z", {"bz2": sizes}), "bz2", facts, "mid")
    seconds = part_seconds(sizes, model, "extract", work, 1.0)
    start = model.tasks["extract"].start + model.unpacking["bz2"].start
    assert sum(seconds) + start == pytest.approx(model.seconds("extract", work))
    assert seconds[1] > seconds[0] > seconds[2]
