from collections import Counter
from pathlib import Path

from made_tables import write_rows
from wikibias.reports.corpus_statistics import (
    Place,
    Reservoir,
    at,
    files,
    numbers,
    rows,
    section,
    texts,
)


def test_rows_of_all_parts_come_with_their_places(tmp_path: Path) -> None:
    write_rows(tmp_path, "edits/b", [{"n": 3}])
    write_rows(tmp_path, "edits/a", [{"n": 1}, {"n": 2}])
    found = [(place, row["n"]) for place, row in rows(tmp_path, "edits", ["n", "new_column"])]
    a, b = (tmp_path / "edits" / f"{name}.parquet" for name in "ab")
    assert found == [(Place(a, 0), 1), (Place(a, 1), 2), (Place(b, 0), 3)]
    assert list(at([Place(b, 0), Place(a, 1)], ["n"])) == [{"n": 2}, {"n": 3}]


def test_the_corpus_is_read_split_by_split_without_its_pairs(tmp_path: Path) -> None:
    for name in ("test", "pairs", "train"):
        write_rows(tmp_path, f"corpus/{name}", [{"n": 1}])
    assert [path.stem for path in files(tmp_path, "corpus")] == ["train", "test"]
    assert files(tmp_path, "edits") == []


def test_a_sample_has_its_size_and_depends_on_the_seed_alone() -> None:
    def drawn(seed: str) -> list[Place]:
        reservoir = Reservoir(5, seed)
        for row in range(100):
            reservoir.add(Place(Path("x"), row))
        return reservoir.found

    assert drawn("1") == drawn("1") != drawn("2")
    assert len(set(drawn("1"))) == 5


def test_each_is_as_likely_to_be_drawn() -> None:
    counts: Counter[int] = Counter()
    for seed in range(2000):
        reservoir = Reservoir(2, str(seed))
        for row in range(10):
            reservoir.add(Place(Path("x"), row))
        counts.update(place.row for place in reservoir.found)
    assert all(330 < counts[row] < 470 for row in range(10))


def test_what_a_manifest_should_not_hold_does_not_count() -> None:
    assert numbers({"a": 1, "b": "2", "c": -1, "d": True, "e": None}) == {"a": 1}
    assert numbers([1]) == {}
    assert section({"a": {"b": {"c": 1}}}, "a", "b") == {"c": 1}
    assert section({"a": 3}, "a", "b") == {}
    assert texts(["a", None, 3]) == ["a"]
    assert texts(None) == []
