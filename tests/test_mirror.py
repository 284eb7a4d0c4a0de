"""`tests/` mirrors the packages of `src/wikibias/`, so that the tests of a package are found."""

from paths import ROOT

SOURCE, TESTS = ROOT / "src" / "wikibias", ROOT / "tests"


def test_every_package_has_tests() -> None:
    packages = {path.parent for path in SOURCE.rglob("*.py")} - {SOURCE}
    without = [
        package.relative_to(SOURCE).as_posix()
        for package in sorted(packages)
        if not [*(TESTS / package.relative_to(SOURCE)).rglob("test_*.py")]
    ]
    assert without == []
