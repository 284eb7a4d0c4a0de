"""An estimate as plain values, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wikibias.planning.cost_model import CostModel
from wikibias.planning.estimate import Estimate, FormEstimate, TaskEstimate


def as_dict(found: Estimate, model: CostModel) -> dict[str, Any]:
    """Return an estimate as JSON can hold it; a range has the keys low, mid and high."""
    best, hours = found.best()
    return {
        "wiki": found.inventory.wiki,
        "date": found.inventory.date,
        "source": found.inventory.source,
        "speed": round(found.speed, 3),
        "fitted": asdict(model.fitted),
        "xml_bytes": found.xml_bytes.as_dict(),
        "revisions": found.revisions.as_dict(),
        "transitions": found.transitions.as_dict(),
        "forms": {form: _form(each) for form, each in found.forms.items()},
        "best_form": best,
        "hours_to_corpus": {form: round(each, 3) for form, each in hours.items()},
    }


def _form(found: FormEstimate) -> dict[str, Any]:
    return {
        "parts": found.parts,
        "bytes": found.bytes,
        "largest_part": found.largest,
        "download_hours": found.download_hours.as_dict(),
        "commands": {task: _task(found, each) for task, each in found.tasks.items()},
    }


def _task(form: FormEstimate, found: TaskEstimate) -> dict[str, Any]:
    return {
        "core_hours": found.core_hours.as_dict(),
        "hours": {str(number): each.as_dict() for number, each in found.hours.items()},
        "worker_memory_mb": round(found.worker_memory_mb),
        "memory_mb": {str(number): round(mb) for number, mb in found.memory_mb.items()},
        "output_bytes": found.output_bytes.as_dict(),
        "disk_bytes": form.disk_bytes(found.task).as_dict(),
    }
