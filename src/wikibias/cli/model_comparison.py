"""Compares models for `wikibias classify --compare`, and shows their scores side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wikibias.cli.experiment_tables import show_models
from wikibias.kits.command import warn
from wikibias.kits.document import p_value
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted
from wikibias.models.estimators.registry import ESTIMATORS

if TYPE_CHECKING:
    from wikibias.models.evaluation.experiment import Experiment
    from wikibias.models.training import Task


def compare(task: Task, models: str | None) -> None:
    """Train and judge models, by default all that are quick enough; show and write their scores."""
    from wikibias.models.training import by_score, run_comparison
    from wikibias.reports import classifier_page

    def done(experiment: Experiment, out: Path) -> None:
        classifier_page.write_experiment(experiment, task.splits, out)
        echo(f"{experiment.model.name} done", err=True)

    names = (
        [name.strip() for name in models.split(",")]
        if models
        else _quick_enough(_usable_models(task), task)
    )
    found = run_comparison(names, task, done)
    classifier_page.write_comparison(found, task.splits, task.out)
    for split, first in found.experiments[0].outcomes.items():
        title = f"{split} ({counted(len(first.examples), 'sentence')}), the best MCC first"
        sorted_ = {e.model.name: e.outcomes[split].scores for e in by_score(found, split)}
        show_models(title, {**sorted_, "always biased": first.constant})
        rows = [
            [
                *(t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}"),
                *(p_value(t["p"]), p_value(t["p_holm"])),
            ]
            for t in found.mcnemar[split]
        ]
        header = ["first", "second", "only first right", "only second right", "p", "p (Holm)"]
        tests = counted(len(rows), "test")
        show_table(f"McNemar on {split}; Holm corrects for {tests}", header, rows, left=2)
    for line in found.experiments[0].warnings():
        warn(line)


def _usable_models(task: Task) -> list[str]:
    """Return all models; leave out, with a warning, those that lack a library or a setting."""
    names = []
    for name in ESTIMATORS.names():
        missing = ESTIMATORS[name].missing()
        if missing:
            warn(f"left out {name}: {missing}")
        elif lacking := set(getattr(ESTIMATORS[name], "needs", ())) - {
            *task.parameters.get(name, ())
        }:
            warn(f"left out {name}: it needs --set {name}.{min(lacking)}=...")
        else:
            names.append(name)
    return names


def _quick_enough(names: list[str], task: Task) -> list[str]:
    """Leave out, with a warning, models that would take hours."""
    from wikibias.models.training import takes_hours

    slow = [name for name in names if takes_hours(name, task.splits)]
    for name in slow:
        warn(
            f"left out {name}: it compares every sentence with all "
            f"{len(task.splits.train):,} of train; --models takes it in"
        )
    return [name for name in names if name not in slow]
