"""What a release says of itself is the same in each of its files."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import wikibias
from paths import ROOT


def test_the_files_of_citation_agree_with_the_package() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extras")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    codemeta, zenodo = (
        json.loads((ROOT / name).read_text(encoding="utf-8"))
        for name in ("codemeta.json", ".zenodo.json")
    )
    paper = project["urls"]["Paper"].removeprefix("https://doi.org/")

    def facts(file: dict[str, Any], title: str, text: str, who: str, doi: str) -> dict[str, Any]:
        names = [each["name"] for each in file[who]]
        licence = file["license"].removeprefix("https://spdx.org/licenses/")
        said = {"name": file[title], "licence": licence, "authors": names, "paper": doi}
        return said | {"keywords": file["keywords"], "description": file[text].strip()}

    own = facts(project, "name", "description", "authors", paper)
    assert facts(cff, "title", "abstract", "authors", cff["references"][0]["doi"]) == own
    read = codemeta["referencePublication"].removeprefix("https://doi.org/")
    assert facts(codemeta, "name", "description", "author", read) == own
    linked = zenodo["related_identifiers"][0]["identifier"]
    assert facts(zenodo, "title", "description", "creators", linked) == own
    versions = {each["version"] for each in (cff, codemeta, zenodo)}
    assert versions == {wikibias.__version__}


def test_actions_of_the_workflows_are_pinned_by_commit() -> None:
    files = sorted((ROOT / ".github/workflows").glob("*.yml"))
    used = [line for file in files for line in file.read_text().splitlines() if "uses:" in line]
    assert used
    loose = [line for line in used if not re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d", line)]
    assert loose == []


def test_the_wheel_holds_a_bill_of_materials_with_every_dependency(wheel: Path) -> None:
    (path,) = wheel.glob("wikibias-*.dist-info/sboms/*.cdx.json")
    bill = json.loads(path.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == (
        "CycloneDX",
        wikibias.__version__,
    )
    needed = {each["name"] for each in bill["components"] if each.get("scope") == "required"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.match(r"[\w.-]+", each) for each in project["dependencies"]]
    assert needed == {match[0].lower().replace(".", "-") for match in names if match}
