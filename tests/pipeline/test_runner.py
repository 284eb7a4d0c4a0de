"""Stages one by one or at once, and over again, give the same result."""

import shutil
import signal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import part_work
from clusters import wait_for
from command_to_kill import forked
from exports import Files, export, files, history, wikibias
from results import check_refused, detect, extract, manifest_of, times, write_parts
from wikibias.dumps.parts import Part
from wikibias.errors import UsageError, WikibiasError
from wikibias.execution.processes import no_progress
from wikibias.kits.files import atomic_file
from wikibias.kits.folders import busy, locked, shard_locked
from wikibias.pipeline.dispatch import Failed, PartTask, Shard, Work, Workers, run_tasks


def test_stages_do_what_extract_does(
    parts: list[Path], out: Path, done: Files, tmp_path: Path
) -> None:
    stages = tmp_path / "stages"
    assert detect(stages, *parts).code == 0
    for stage in ("diff", "filter", "build"):
        wikibias(stage, "--workers", 1, stages).silent()
    assert files(stages) == done
    manifests = [manifest_of(f) for f in (stages, out)]
    for manifest in manifests:
        del manifest["duration_seconds"], manifest["commands"]
        for entry in manifest["inputs"]:
            del entry["path"]
    assert manifests[0] == manifests[1]


def test_a_stage_before_its_turn_is_refused_and_extract_goes_on(
    parts: list[Path], out: Path, done: Files, tmp_path: Path
) -> None:
    stages = tmp_path / "stages"
    assert detect(stages, *parts).code == 0
    for refused, missing in (("filter", "diff"), ("build", "diff"), ("build", "filter")):
        if missing == "filter":
            assert wikibias("diff", "--workers", 1, stages).code == 0
        before = times(stages)
        check_refused(wikibias(refused, stages), f"wikibias {missing}")
        assert times(stages) == before
    assert extract(stages, *parts).code == 0
    assert files(stages) == done
    assert before.items() <= times(stages).items()


def test_a_restart_of_a_later_stage_alone(parts: list[Path], out: Path, done: Files) -> None:
    before = times(out)
    assert wikibias("build", "--seed", 9, "--restart", out).code == 0
    after = times(out)
    changed = {name.split("/")[0] for name in after if after[name] != before.get(name)}
    assert changed == {"README.md", "corpus", "text"}
    assert wikibias("filter", "--workers", 1, "--reverts", "keep", "--restart", out).code == 0
    assert "text/train.tsv" not in files(out)
    assert times(out)["diffs/part1.xml.parquet"] == before["diffs/part1.xml.parquet"]


def test_a_restart_mends_the_manifest_of_another(parts: list[Path], out: Path, done: Files) -> None:
    (out / "manifest.json").write_text('{"name": "theirs"}')
    check_refused(extract(out, *parts), "manifest.json", "--restart")
    assert extract(out, "--restart", *parts).code == 0
    assert files(out) == done


def spoil(path: Path) -> None:
    """Put numbers in the place of the texts in a table of transitions."""
    table = pq.read_table(path)
    texts = pa.array([1] * len(table))
    place = table.schema.get_field_index("before_text")
    spoilt = table.set_column(place, "before_text", texts)
    pq.write_table(spoilt.replace_schema_metadata(pq.read_metadata(path).metadata), path)


def test_a_failed_part_costs_itself_and_the_corpus(
    parts: list[Path], out: Path, done: Files
) -> None:
    """Here, a table that somebody has spoilt; `status` says it again, mended it is done."""
    table = out / "transitions/part2.xml.parquet"
    sound = table.read_bytes()
    for kind in ("diffs", "edits", "rejects", "corpus"):
        shutil.rmtree(out / kind)
    spoil(table)
    ended = extract(out, "-q", *parts)
    assert ended.code == 1
    first, last = ended.err.splitlines()
    assert first.startswith(f"Error: {parts[1]} failed: ")
    assert last.startswith("1 of 4 parts failed; no corpus is built without them. ")
    manifest = manifest_of(out)
    assert [e["state"] for e in manifest["inputs"]] == ["whole", "failed", "whole", "whole"]
    assert (manifest["corpus"], manifest["complete"]) == (None, False)
    whole = {name: content for name, content in done.items() if "corpus" not in name}
    assert files(out, "edits").keys() == {n for n in whole if "edits" in n and "part2" not in n}
    shown = wikibias("status", out)
    assert shown.code == 1
    assert "4 parts: 3 whole, 1 failed, 0 missing." in shown.out
    table.write_bytes(sound)
    assert extract(out, *parts).code == 0
    assert files(out) == done


def test_debug_shows_the_traceback_of_a_part(parts: list[Path], out: Path, done: Files) -> None:
    table = out / "transitions/part2.xml.parquet"
    spoil(table)
    command = ("diff", "--workers", 1, "--restart", "--scope", "page", out)
    assert "Traceback" not in wikibias(*command).err
    assert "part2.xml: Traceback" in wikibias(*command, "--debug").err


PARTS = ("a", "b", "c")


def test_the_number_of_workers_is_no_matter(tmp_path: Path) -> None:
    inputs = write_parts(tmp_path / "in", 1)
    # Of unlike sizes, so that they end in another order than they began.
    inputs[0].write_bytes(export([history("Village 0", 12)]))
    results = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        ended = extract(folder, "--workers", workers, *inputs).silent()
        results.append((files(folder), ended.out.replace(str(folder), "")))
    assert results[0] == results[1]
    kinds = {name.split("/")[0] for name in results[0][0]}
    assert kinds == {"transitions", "diffs", "edits", "rejects", "corpus", "text", "README.md"}


def done(folder: Path, work: Work, workers: int) -> dict[str, Any]:
    """Do some work on three parts; return what came of each."""
    tasks = [PartTask(folder, Part(name, (f"{name}.xml",)), work) for name in PARTS]
    found = {part.name: result for part, result in run_tasks(tasks, Workers(workers), no_progress)}
    assert sorted(found) == list(PARTS)
    assert list(folder.glob(".*.trace")) == []
    return found


@pytest.mark.parametrize(("workers", "first"), [(1, ["a", "b"]), (2, ["b", "c"])])
def test_large_parts_are_begun_first(workers: int, first: list[str], tmp_path: Path) -> None:
    (tmp_path / "begun").write_text("x\n" if workers == 1 else "")
    tasks = []
    for name, size in zip(PARTS, (1, 3, 2), strict=True):
        (tmp_path / name).write_bytes(b"x" * size)
        tasks.append(PartTask(tmp_path, Part(name, (str(tmp_path / name),)), part_work.noted))
    ended = [part.name for part, _ in run_tasks(tasks, Workers(workers), no_progress)]
    begun = [name for name in (tmp_path / "begun").read_text().split() if name != "x"]
    assert sorted(begun[:2]) == first
    assert sorted(ended) == list(PARTS)


class TestFaults:
    @pytest.mark.parametrize(
        ("work", "said", "workers"),
        [
            (part_work.raising, "failed: ZeroDivisionError: by nought (part_work.py:", 1),
            (part_work.raising, "failed: ZeroDivisionError: by nought (part_work.py:", 2),
            (part_work.damaged, "failed: is cut off", 1),
        ],
        ids=["raising", "raising-2", "damaged"],
    )
    def test_an_error_fails_its_part_only(
        self, work: Work, said: str, workers: int, tmp_path: Path
    ) -> None:
        found = done(tmp_path, work, workers)
        assert (found["a"], found["c"]) == ("a", "c")
        assert isinstance(found["b"], Failed)
        assert found["b"].reason.startswith(said)
        assert ("a bug in wikibias" in found["b"].reason) == (work is part_work.raising)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_wrong_usage_ends_the_run(self, workers: int, tmp_path: Path) -> None:
        with pytest.raises(UsageError):
            done(tmp_path, part_work.misused, workers)

    def test_what_kills_its_worker_twice_is_passed_over(self, tmp_path: Path) -> None:
        counted = {part: [1, 2, 3, 4] for part in PARTS}
        assert done(tmp_path, part_work.counting, 2) == {**counted, "b": [1, 2, 4]}

    def test_a_worker_killed_once_costs_time_only(self, tmp_path: Path) -> None:
        assert done(tmp_path, part_work.killed_once, 2) == {part: [1, 2, 3, 4] for part in PARTS}

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
    def test_it_gives_up_in_the_end(self, number: signal.Signals, tmp_path: Path) -> None:
        """Fewer workers help against a want of memory, and against nothing else."""
        (tmp_path / "signal").write_text(str(int(number)))
        found = done(tmp_path, part_work.hopeless, 2)
        assert (found["a"], found["c"]) == ("a", "c")
        assert found["b"].reason.startswith("failed: its worker process ended 2 times")
        assert ("fewer --workers" in found["b"].reason) == (number == signal.SIGKILL)


@pytest.fixture
def broken_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every process that is started end at once."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text("import os; os._exit(3)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))


@pytest.mark.usefixtures("broken_python")
def test_workers_that_cannot_start_end_the_run(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"before they begin to work \(exit code 3\)"):
        done(tmp_path, part_work.raising, 2)


@given(st.lists(st.integers()), st.integers(1, 9))
def test_each_part_is_in_one_shard(parts: list[int], of: int) -> None:
    shards = [list(Shard(number, of).of_parts(parts)) for number in range(1, of + 1)]
    assert sorted(part for shard in shards for part in shard) == sorted(parts)


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "a/b", "1/0", "-1/4", "1/4/2", "²/4"])
def test_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="not a shard"):
        Shard.parse(text)


def test_at_the_same_time_and_the_same_bytes(parts: list[Path], out: Path, template: Path) -> None:
    """Jobs of any scheduler do parts of one result, and one last command does the rest."""
    typed = ("extract", "-q", "--workers", 1, "--lang", "en", "-o", out)
    with forked(*typed, "--shard", "1/2", *parts) as other:
        wait_for((out / ".lock").exists)
        assert wikibias(*typed, "--shard", "2/2", *parts).code == 0
        assert other.ended() == 0
    assert not (out / "corpus").exists()
    before = times(out)
    assert len([name for name in before if name.startswith("edits")]) == len(parts)
    assert extract(out, *parts).code == 0
    assert before.items() <= times(out).items()
    assert files(out) == files(template / "out")


def test_a_shard_does_its_parts_and_status_says_what_is_left(parts: list[Path], out: Path) -> None:
    ended = extract(out, "--shard=2/3", *parts).silent()
    assert ended.out.startswith("1 part, 1 page")
    shown = wikibias("status", out).out
    assert "4 parts: 1 whole, 0 failed, 3 missing." in shown
    assert "--shard" not in shown.splitlines()[-1]
    check_refused(extract(out, "--shard", "1/2", "--restart", *parts), "run it without --shard")
    assert [path.name for path in (out / "edits").iterdir()] == ["part2.xml.parquet"]
    none = extract(out, "--shard", "9/16", *parts)
    assert (none.code, none.out) == (0, "Shard 9/16 has no part: there are only 4 parts.\n")


def test_shards_go_on_with_the_settings_of_the_first(parts: list[Path], out: Path) -> None:
    per_any = ("--per", "any", *parts)
    assert extract(out, "--shard", "1/2", *per_any).code == 0
    for shard in (["--shard", "2/2"], []):
        check_refused(extract(out, *shard, *parts), "detect.per: any -> tag")
    assert extract(out, "--shard", "2/2", *per_any).code == 0
    assert extract(out, *per_any).code == 0


def test_a_later_stage_takes_options_of_its_own_in_shards_too(parts: list[Path], out: Path) -> None:
    """What a stage that has not run yet was not asked for is no change."""
    assert detect(out, *parts[:2]).code == 0
    assert wikibias("diff", out).code == 0
    for shard in ("1/2", "2/2"):
        assert wikibias("filter", "--reverts", "keep", "--shard", shard, out).code == 0
    assert "Next: wikibias build" in wikibias("status", out).out
    assert wikibias("build", "--seed", 7, out).code == 0
    settings = manifest_of(out)["settings"]
    assert (settings["filter"]["reverts"], settings["build"]["seed"]) == ("keep", 7)


@pytest.mark.parametrize(
    ("held", "said"), [((1, 2), "another run does shard"), ((1, 3), "another number")]
)
def test_the_same_parts_are_done_once_at_a_time(
    held: tuple[int, int], said: str, parts: list[Path], out: Path
) -> None:
    with locked(out, shared=True), shard_locked(out, *held):
        refused = extract(out, "--shard", "1/2", *parts)
        assert busy(out)
    check_refused(refused, said)
    assert "a run is at work" not in refused.err
    assert not busy(out)
    assert extract(out, "--shard", "1/2", *parts).code == 0


def test_what_another_shard_writes_just_now_stays(parts: list[Path], out: Path) -> None:
    """All begin with the manifest, at the same moment; the run without a shard cleans up."""
    with atomic_file(out / "manifest.json") as half_written:
        half_written.touch()
        assert extract(out, "--shard", "1/2", *parts).code == 0
        assert half_written.exists()
        assert extract(out, *parts).code == 0
        assert not half_written.exists()
        half_written.write_bytes((out / "manifest.json").read_bytes())
