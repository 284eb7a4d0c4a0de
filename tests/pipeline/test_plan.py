"""A plan says what the run then does; `tests/cli/test_dry_run.py` asks through the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from results import extract, times, write_parts
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import find_parts
from wikibias.pipeline import outputs
from wikibias.pipeline.plan import Plan, Request, plan_run
from wikibias.pipeline.settings import make_settings


def planned(out: Path, parts: list[Path], *, restart: bool = False) -> Plan:
    found = find_parts([str(path) for path in parts])
    return plan_run(Request(out, found, make_settings("en", load_config()), restart=restart))


@pytest.mark.parametrize("gone", ["transitions", "diffs", "edits", "corpus/train.parquet", ""])
def test_it_names_what_the_run_writes(gone: str, tmp_path: Path) -> None:
    parts, out = write_parts(tmp_path, 4), tmp_path / "o"
    assert extract(out, "-q", *parts).code == 0
    if gone.startswith("corpus"):
        (out / gone).unlink()
    elif gone:
        outputs.output(out, gone, parts[1].name).unlink()
    found, before = planned(out, parts), times(out)
    assert extract(out, "-q", *parts).code == 0
    after = times(out)
    written = {name for name in after if after[name] != before.get(name)}
    tables = {f"{table}/{name}.parquet" for name in found.todo for table in found.tables}
    assert tables == {name for name in written if name.endswith(".xml.parquet")}
    assert found.builds == any(name.startswith("corpus/") for name in written)


def test_to_start_over_is_to_do_all(tmp_path: Path) -> None:
    parts, out = write_parts(tmp_path, 4), tmp_path / "o"
    assert extract(out, "-q", *parts).code == 0
    found = planned(out, parts, restart=True)
    assert [*found.todo] == [path.name for path in parts]
    assert (found.builds, found.is_new) == (True, False)
    assert [*found.removes] == ["transitions", "diffs", "rejects", "edits", "corpus"]
