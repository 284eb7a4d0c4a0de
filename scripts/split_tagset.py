"""Generates tag sets with a single family of `tagsets/npov`.

Usage: python scripts/split_tagset.py

Writes `tagsets/<family>/<lang>.toml` for the families promotional, weasel and peacock of every
language that has such tags. It overwrites these files, so edit `tagsets/npov` instead.
"""

from pathlib import Path
from typing import Any

import tomlkit

ROOT = Path(__file__).parents[1] / "tagsets"
FAMILIES = ("promotional", "weasel", "peacock")


def one_family(text: str, family: str, lang: str) -> str | None:
    """Return the tag-set file of one family of another tag-set file, or None if it has none."""
    whole: dict[str, Any] = tomlkit.parse(text).unwrap()
    tags = [tag for tag in whole["tag"] if tag["family"] == family]
    if not tags:
        return None
    document = tomlkit.document()
    document.add(tomlkit.comment(f"The family {family!r} of tagsets/npov/{lang}.toml, which see."))
    document.add(tomlkit.comment("Made by scripts/split_tagset.py; change that file instead."))
    for key in ("lang", "ignore_case", "verified"):
        document.add(key, whole[key])
    document.add("tag", _entries(tags))
    names = {tag["name"] for tag in tags}
    wrappers = [_narrowed(wrapper, names) for wrapper in whole.get("wrapper", [])]
    wrappers = [w for w in wrappers if w.get("parameters") or w.get("positional")]
    if wrappers:
        document.add("wrapper", _entries(wrappers))
    return tomlkit.dumps(document)


def _narrowed(wrapper: dict[str, Any], names: set[str]) -> dict[str, Any]:
    parameters = {p: tag for p, tag in wrapper.get("parameters", {}).items() if tag in names}
    rest = {key: value for key, value in wrapper.items() if key != "parameters"}
    return {**rest, "parameters": parameters} if parameters else rest


def _entries(entries: list[dict[str, Any]]) -> Any:
    array = tomlkit.aot()
    for entry in entries:
        table = tomlkit.table()
        for key, value in entry.items():
            if isinstance(value, list):
                names = tomlkit.array()
                names.extend(value)
                table.add(key, names.multiline(len(value) > 4))
            else:
                table.add(key, value)
        array.append(table)
    return array


def made() -> dict[Path, str]:
    """Return the files to write, with their text."""
    found = {}
    for path in sorted((ROOT / "npov").glob("*.toml")):
        for family in FAMILIES:
            text = one_family(path.read_text(encoding="utf-8"), family, path.stem)
            if text is not None:
                found[ROOT / family / path.name] = text
    return found


def main() -> None:
    """Write the files."""
    for path, text in made().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT.parent))


if __name__ == "__main__":
    main()
