"""A model as it is shared: its files, with a card that the Hugging Face hub reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits import hub
from wikibias.kits.files import read_json, write_text
from wikibias.models.constants import METRICS
from wikibias.models.estimators import registry

# Sentences of others, and pages for people, stay where they are.
_LEFT_OUT = ("predictions-*", "report.html", "grid.*", "cv-*", "*.md", registry.DESCRIPTION)
_SPLITS = ("dev", "test")


def files_of(folder: Path, scratch: Path) -> dict[str, Path]:
    """Return what of a model's folder is shared, by name: the model, its scores, and the card.

    Args:
        folder: of the model.
        scratch: where to write what is not as it lies in the folder; addresses of files on this
            machine are left out there.

    Raises:
        WikibiasError: the folder holds no whole model.
    """
    described = registry.describe(folder)
    try:
        scores = read_json(folder / "scores.json")
        text = (folder / "README.md").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise WikibiasError(
            f"{folder}: scores or card missing or damaged; train the model again with `wikibias "
            "classify`"
        ) from error
    files = {
        path.name: path
        for path in sorted(folder.iterdir())
        if path.is_file()
        and not path.name.startswith(".")
        and not any(path.match(pattern) for pattern in _LEFT_OUT)
    }
    places = sorted(_places(described), key=len, reverse=True)
    written = {
        "README.md": hub.model_card(metadata(described), _scores(described, scores), text),
        registry.DESCRIPTION: json.dumps(described, ensure_ascii=False, indent=2) + "\n",
    }
    for name, content in written.items():
        write_text(scratch / name, _without(places, content))
        files[name] = scratch / name
    return dict(sorted(files.items()))


def metadata(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the YAML block of a model's card says, without the scores."""
    lang = described.get("lang")
    known = isinstance(lang, str) and lang.isascii() and lang.isalpha() and len(lang) in (2, 3)
    return {
        "model_name": f"wikibias {described['model']}",
        **({"language": lang} if known else {}),
        "library_name": "wikibias",
        "pipeline_tag": "text-classification",
        "tags": ["wikipedia", "text-classification"],
    }


def _scores(described: Mapping[str, Any], scores: Any) -> list[hub.Score]:
    """Return the scores on dev and test, where these are large enough; undefined ones are none."""
    found = []
    scores = scores if isinstance(scores, dict) else {}
    warned = [str(each) for each in scores.get("warnings", ())]
    for split in _SPLITS:
        # Tables of the hub show no warnings beside a score.
        if any(each.startswith(f"{split}:") for each in warned):
            continue
        of = scores.get(split)
        for metric in METRICS if isinstance(of, dict) else ():
            value = (of or {}).get(metric, {}).get("value")
            if isinstance(value, (int, float)):
                size = described["data"][split]["sentences"]
                data = f"a corpus of wikibias ({size} sentences)"
                found.append(hub.Score(data, split, metric, value))
    return found


def _without(places: Sequence[str], content: str) -> str:
    for place in places:
        content = content.replace(place, "")
    return content


def _places(described: Mapping[str, Any]) -> set[str]:
    """Return the folders of this machine that a description names."""
    sources = [Path(str(of["source"])) for of in described.get("data", {}).values()]
    return {f"{path.parent}/" for path in sources if path.is_absolute()}
