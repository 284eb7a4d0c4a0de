"""The simulated schedule: bounds that no run beats, and each part done once, whoever is lost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scale_examples
from simulate_schedule import (
    lower_bound,
    make_parts,
    report,
    seconds_of,
    simulated,
    sizes,
    slowed,
    template,
)
from virtual_cluster import Losses, Record
from wikibias.config.thresholds import load_config
from wikibias.execution import engines
from wikibias.pipeline.making_settings import make_settings
from wikibias.planning.schedule import longest_first, makespan

SETTINGS = make_settings("en", load_config())
HOUR = 3600.0


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What `detect` writes of an empty part."""
    return template(tmp_path_factory.mktemp("template"), SETTINGS)


def run(
    folder: Path,
    outputs: Sequence[Path],
    seconds: Sequence[float],
    workers: int,
    losses: Losses,
    *,
    sized: bool = True,
) -> Record:
    """Simulate parts whose size goes with their seconds."""
    parts = make_parts(folder, [int(1 + each) for each in seconds], sized=sized)
    by_name = dict(zip([part.name for part in parts], seconds, strict=True))
    record, _ = simulated(parts, by_name, SETTINGS, outputs, workers, losses)
    assert record.done == dict.fromkeys(by_name, 1)
    return record


class TestRuns:
    @given(
        st.lists(st.integers(1, 20_000), min_size=1, max_size=12),
        st.integers(1, 5),
        st.integers(0, 9),
        st.booleans(),
    )
    @settings(max_examples=15)
    def test_each_part_is_done_once_and_no_run_beats_the_bounds(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        outputs: list[Path],
        seconds: list[int],
        workers: int,
        seed: int,
        lossy: bool,
    ) -> None:
        """Also where workers are lost, of which some parts are begun several times."""
        losses = Losses(mean_hours=10 if lossy else 0, seed=seed)
        folder = tmp_path_factory.mktemp("run") / "parts"
        record = run(folder, outputs, [float(each) for each in seconds], workers, losses)
        assert record.makespan >= lower_bound(seconds, workers) * 0.999999
        assert record.worked == pytest.approx(sum(seconds))
        assert sum(record.begun.values()) == len(seconds) + record.losses
        assert record.makespan <= sum(seconds) + record.lost + 20 * record.losses + 1e-6

    def test_without_losses_it_is_the_schedule_of_the_plan(
        self, tmp_path: Path, outputs: list[Path]
    ) -> None:
        rng = random.Random(3)
        seconds = [float(int(rng.expovariate(1 / 5000))) for _ in range(40)]
        longest = run(tmp_path / "a", outputs, seconds, 4, Losses())
        assert longest.makespan == pytest.approx(makespan(longest_first(seconds), 4))
        in_order = run(tmp_path / "b", outputs, seconds, 4, Losses(), sized=False)
        assert in_order.makespan == pytest.approx(makespan(seconds, 4))
        assert in_order.makespan > longest.makespan

    def test_lost_workers_cost_what_they_had_begun(
        self, tmp_path: Path, outputs: list[Path]
    ) -> None:
        seconds = [HOUR] * 30
        losses = Losses(mean_hours=4.0, seed=1)
        record = run(tmp_path / "a", outputs, seconds, 3, losses)
        assert record.losses > 0
        assert 0 < record.lost < record.losses * HOUR
        assert run(tmp_path / "b", outputs, seconds, 3, losses) == record

    def test_the_engine_is_gone_afterwards(self, tmp_path: Path, outputs: list[Path]) -> None:
        before = engines.names()
        run(tmp_path / "a", outputs, [5.0, 6.0], 2, Losses())
        assert engines.names() == before


def test_sizes_and_times_are_those_of_the_seed() -> None:
    found = sizes(500, random.Random(1))
    assert found == sizes(500, random.Random(1))
    assert sum(found) == pytest.approx(2e11, rel=0.01)
    assert max(found) > 5 * sorted(found)[250]
    plain = seconds_of(found)
    slow = slowed(plain, random.Random(2))
    assert all(after >= before for before, after in zip(plain, slow, strict=True))
    assert sum(slow) > sum(plain)


def test_the_reports() -> None:
    found = sizes(20, random.Random(1))
    plain = seconds_of(found)
    text = report(found, plain, plain, [["a", *"123456"]], [1, 4], 1)
    assert "20 parts of" in text
    assert "4 shards, every 4th part" in text
    assert "| `extract` from 7z, core hours |" in scale_examples.report()
