"""Folders of trained models: what may be replaced in them, and the versions they were made with.

What a description says is that of whoever made the folder: no name in it leads out of the folder.
"""

import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.document import Block, Document, Facts, Section
from wikibias.kits.files import disk_errors, from_json, read_json, to_json
from wikibias.models.estimators import registry

JOURNAL = "grid.jsonl"
"""What a grid search has finished, so that the same command goes on after an interruption."""
SETTINGS = ("model", "seed", "parameters", "lang", "stopwords", "normalised")
"""Keys of a model's description which say, beside its data, how it was trained."""
# What an experiment writes beside its model, and the next one may not write again.
_LEFT_OVER = ("predictions-*.tsv", "figures/*.svg", "figures/*.png", "report.html", "scores.json")
_SEARCH = ("grid.csv", "grid.json", JOURNAL)
_SHOWN = 3
_REMEDY = "--overwrite replaces it, --out names another folder"


def check_model(
    out: Path, wanted: Mapping[str, Any], *, overwrite: bool, searched: bool = False
) -> None:
    """Make sure that a folder holds no other model than the one wanted.

    Where it does and may be replaced, removes what an experiment left beside it.

    Args:
        out: the folder of the model.
        wanted: its description, with `data` of each split and `evaluation`; what it lacks of
            `SETTINGS` may be anything.
        overwrite: another one may be replaced.
        searched: the tables of a grid search belong to the new one.

    Raises:
        UsageError: it holds one of other data, with other settings or more scores, which may not.
    """
    # As it will be read again: a tuple is a list there.
    differs = list(_differences(_described(out), from_json(to_json(wanted))))
    if not differs:
        return
    if not overwrite:
        more = f" and {len(differs) - _SHOWN} more" if differs[_SHOWN:] else ""
        raise UsageError(
            f"{out} holds a model of other data or settings ({'; '.join(differs[:_SHOWN])}{more}); "
            f"{_REMEDY}"
        )
    with disk_errors(out):
        for pattern in _LEFT_OVER if searched else (*_LEFT_OVER, *_SEARCH):
            for path in out.glob(pattern):
                path.unlink()


def check_search(out: Path, *, overwrite: bool) -> None:
    """Make sure that a folder holds no model whose parameters were not searched.

    Raises:
        UsageError: it does, and may not be replaced.
    """
    if registry.MODEL.is_ours(out) and not (out / "grid.json").exists() and not overwrite:
        raise UsageError(f"{out} holds a model without --grid; {_REMEDY}")


def check_comparison(out: Path, names: Iterable[str], *, overwrite: bool) -> None:
    """Make sure that a folder holds no comparison with models that are not in the new one.

    Raises:
        UsageError: it does, and may not be replaced.
    """
    known: Any = None
    with suppress(OSError, ValueError):
        known = read_json(out / "scores.json")
    models = known.get("models") if isinstance(known, dict) else None
    lost = sorted({*models} - {*names}) if isinstance(models, dict) else []
    if lost and not overwrite:
        raise UsageError(f"{out} holds a comparison with {', '.join(lost)[:100]}, too; {_REMEDY}")


def _described(out: Path) -> Mapping[str, Any]:
    """Return the description of the model in a folder; of one that cannot be loaded, nothing."""
    if registry.MODEL.is_ours(out):
        with suppress(WikibiasError):
            return registry.MODEL.describe(out)
    return {}


def of_older_corpora(out: Path, new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the models beside a new one that learnt from its corpus as it was before a build."""
    for path in sorted(out.parent.glob(f"*/{registry.MODEL.description}")):
        old = _described(path.parent)
        alike = all(old.get(key) == new.get(key) for key in ("labels", "weights"))
        if alike and _parts(old, "source") == _parts(new, "source"):
            yield from [path.parent.name] * (_parts(old, "sha256") != _parts(new, "sha256"))


def _parts(described: Mapping[str, Any], key: str) -> list[Any]:
    data = described.get("data")
    parts = data.values() if isinstance(data, dict) else ()
    return [part.get(key) for part in parts if isinstance(part, dict)]


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield what would be lost with a model, and in what another one differs from it."""
    if not old:
        return
    before = old.get("data")
    if not isinstance(before, dict):
        yield "which does not say what it was trained on"
        return
    for name, part in before.items():
        now = new["data"].get(name)
        if not isinstance(part, dict) or now is None:
            yield f"{name} is not given now"
        elif part.get("sha256") != now["sha256"]:
            sizes = f"{part.get('sentences')} sentences then, {now['sentences']} now"
            yield f"{name}: {sizes if part.get('sentences') != now['sentences'] else 'other ones'}"
    for key in SETTINGS:
        if key in old and key in new and old[key] != new[key]:
            yield f"{key} was {str(old[key])[:60]}, is {str(new[key])[:60]}"
    judged = old.get("evaluation")
    for key, value in (judged if isinstance(judged, dict) else {}).items():
        if value and value != new["evaluation"].get(key):
            yield f"its scores have --{key} {str(value)[:60]}"


OF_CLASSIFIERS = (
    *("scikit-learn", "numpy", "scipy", "skops", "fasttext-community"),
    *("torch", "transformers", "safetensors"),
)
"""The packages that the estimators of classifiers are made with."""


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python, of wikibias, and of packages; skips those not installed."""
    found = {"python": platform.python_version()}
    for package in ("wikibias", *packages):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def card(
    described: Mapping[str, Any],
    title: str,
    lead: str,
    *,
    data: list[Block],
    settings: Iterable[tuple[str, str]],
    limits: str,
    scores: list[Block] | None = None,
) -> Document:
    """Return the card of a trained model.

    Args:
        described: its description.
        title: of the card.
        lead: what it does, and the commands that it is for.
        data: what it was trained on.
        settings: names and values beside parameters and seed; those without a value are left out.
        limits: what it is not for.
        scores: of the model.
    """
    parameters = ", ".join(f"`{name}={value}`" for name, value in described["parameters"].items())
    facts = {"parameters": parameters or "the defaults", "seed": f"{described['seed']}"}
    facts |= {name: value for name, value in settings if value}
    found = ", ".join(f"{name} {number}" for name, number in described["versions"].items())
    sections = [
        Section("Data", data),
        Section("Configuration", [Facts([*facts.items()])]),
        *([Section("Scores", scores)] if scores else []),
        Section("Limits", [limits]),
        Section("Versions", [f"{found}."]),
    ]
    return Document(title, lead, sections)
