"""Writes docs/settings.md and configs/default.toml from the declared settings.

Run it after a change of a setting: .venv/bin/python scripts/settings_page.py
"""

import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_type_hints

from wikibias.cli.extract import OTHERS
from wikibias.config.thresholds import Config
from wikibias.kits.checked import Declared, allowed, declared
from wikibias.pipeline.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "settings.md"
THRESHOLDS = ROOT / "configs" / "default.toml"
_STAGES = ("detect", "diff", "filter", "build")
_HEAD = """# Settings

<!-- Made by scripts/settings_page.py; change the declarations in src/wikibias/ instead. -->

All settings stand in `manifest.json`, but for `--reader`, on which no result depends. A result
folder goes on only with the settings it was made with.

## On the command line

`wikibias extract` takes all of them; `detect`, `diff`, `filter` and `build` those of their stage.
Each may stand in a file too, as a key of `[run]` ([Run from a file](how-to/more-runs.md)).
"""
_RUN = """
## Other keys of a run file

What `[run]` holds besides the settings above:
"""
_THRESHOLDS = """
## Thresholds

`--config FILE` gives a TOML file whose keys override these. A wrong key or value is an error that
names file, line, key and what is allowed.
"""


def page() -> str:
    """Return docs/settings.md."""
    hints = get_type_hints(Settings)
    stages = {stage: list(declared(hints[stage])) for stage in _STAGES}
    stages["detect"] += declared(Settings)
    head = "| option | key | stage | allowed | default | what |"
    lines = [_HEAD, head, "| --- " * 6 + "|"]
    for stage, found in stages.items():
        for each in found:
            names = f"`{each.setting.option}` | `{each.name}`"
            lines.append(_row(names, stage, each, each.setting.unset))
    lines += [_RUN, "| key | allowed | what |", "| --- " * 3 + "|"]
    lines += [f"| `{key}` | {allowed(hint)} | {doc} |" for key, hint, doc in OTHERS]
    lines += [_THRESHOLDS, "| key | section | allowed | default | what |", "| --- " * 5 + "|"]
    for section, kind in _sections():
        lines += [_row(f"`{each.name}`", f"`[{section}]`", each) for each in declared(kind)]
    return "\n".join(lines) + "\n"


def _row(name: str, where: str, each: Declared, unset: str = "") -> str:
    given = "must be given" if each.default is MISSING else _toml(each.default)
    return f"| {name} | {where} | {allowed(each.hint)} | {unset or given} | {each.doc} |"


def _toml(value: Any) -> str:
    return "none" if value is None else f"`{json.dumps(value)}`"


def thresholds() -> str:
    """Return configs/default.toml."""
    text = (
        "# The thresholds of the pipeline. Your own file, given with --config, overrides single "
        "keys.\n# Made by scripts/settings_page.py from src/wikibias/config/thresholds.py.\n"
    )
    for section, kind in _sections():
        text += f"\n[{section}]\n"
        for each in declared(kind):
            number = f"{each.default:_}" if isinstance(each.default, int) else each.default
            text += f"# {each.doc}\n{each.name} = {number}\n"
    return text


def _sections() -> list[tuple[str, type[Any]]]:
    hints = get_type_hints(Config)
    return [(field.name, hints[field.name]) for field in fields(Config)]


def main() -> None:
    """Write both files."""
    PAGE.write_text(page(), encoding="utf-8")
    THRESHOLDS.write_text(thresholds(), encoding="utf-8")


if __name__ == "__main__":
    main()
