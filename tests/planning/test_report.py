"""An estimate as JSON: its keys, which programs rely on."""

from __future__ import annotations

import json

from wikibias.planning.cost_model import load_costs
from wikibias.planning.estimate import estimate
from wikibias.planning.inventory import Inventory
from wikibias.planning.ratios import load_ratios
from wikibias.planning.report import as_dict

RANGE = {"low", "mid", "high"}


def test_the_keys() -> None:
    inventory = Inventory("bgwiki", "20260101", "x", {"7z": [10**8], "bz2": [10**9]})
    model = load_costs()
    found = estimate(inventory, model, load_ratios(), workers=(1, 8), speed=1.0)
    table = json.loads(json.dumps(as_dict(found, model)))
    assert set(table) == {
        "wiki", "date", "source", "speed", "fitted", "xml_bytes", "revisions", "transitions",
        "forms", "best_form", "hours_to_corpus",
    }  # fmt: skip
    assert set(table["forms"]) == {"7z", "bz2"}
    form = table["forms"]["7z"]
    assert set(form) == {"parts", "bytes", "largest_part", "download_hours", "commands"}
    assert set(form["commands"]) == {"detect", "extract", "tags count"}
    command = form["commands"]["extract"]
    assert set(command) == {
        "core_hours", "hours", "worker_memory_mb", "memory_mb", "output_bytes", "disk_bytes",
    }  # fmt: skip
    assert set(command["hours"]) == set(command["memory_mb"]) == {"1", "8"}
    assert set(command["hours"]["8"]) == set(form["download_hours"]) == RANGE
    assert table["best_form"] == "7z"
