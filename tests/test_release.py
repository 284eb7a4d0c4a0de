"""What a release says of itself is the same in each of its files."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import wikibias
from paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_files_of_citation_agree_with_the_package() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extras")
    names = ("CITATION.cff", "codemeta.json", ".zenodo.json")
    cff, codemeta, zenodo = (yaml.safe_load((ROOT / name).read_text("utf-8")) for name in names)
    for file, title, text, who in (
        (cff, "title", "abstract", "authors"),
        (codemeta, "name", "description", "author"),
        (zenodo, "title", "description", "creators"),
    ):
        assert (file[title], file["version"]) == (PROJECT["name"], wikibias.__version__)
        assert file[text].strip() == PROJECT["description"]
        assert file["keywords"] == PROJECT["keywords"]
        assert file["license"].rpartition("/")[2] == PROJECT["license"]
        assert [each["name"] for each in file[who]] == [each["name"] for each in PROJECT["authors"]]
        assert PROJECT["urls"]["Paper"].partition("doi.org/")[2] in json.dumps(file, default=str)


def test_actions_of_the_workflows_are_pinned_by_commit() -> None:
    files = "".join(path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml"))
    pinned = re.findall(r"uses: [\w./-]+@[0-9a-f]{40} # v\d", files)
    assert len(pinned) == files.count("uses:") > 0


def test_the_wheel_holds_a_bill_of_materials_with_every_dependency(wheel: Path) -> None:
    (path,) = wheel.glob("wikibias-*.dist-info/sboms/*.cdx.json")
    bill = json.loads(path.read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["version"] == wikibias.__version__
    needed = {each["name"] for each in bill["components"] if each.get("scope") == "required"}
    names = (re.split(r"[^\w.-]", each)[0].lower() for each in PROJECT["dependencies"])
    assert needed == {name.replace(".", "-") for name in names}
