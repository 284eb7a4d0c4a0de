"""Stages one by one or at once, and over again, give the same result."""

import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exports import export, files, history, wikibias
from results import check_refused, extract, times, write_parts
from wikibias.dumps.parts import Part
from wikibias.errors import DumpError, UsageError, WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import ProgressCallback, no_progress
from wikibias.pipeline.dispatch import Failed, PartTask, Work, Workers, run_tasks


class TestStageByStage:
    def test_gives_what_extract_gives(
        self, parts: list[Path], out: Path, done: dict[str, bytes], tmp_path: Path
    ) -> None:
        stages = tmp_path / "stages"
        assert wikibias("detect", "--lang", "en", "--workers", 1, "-o", stages, *parts).code == 0
        for stage in ("diff", "filter", "build"):
            ended = wikibias(stage, "--workers", 1, stages)
            assert (ended.code, ended.err) == (0, "")
        assert files(stages) == done
        manifests = [json.loads((f / "manifest.json").read_text()) for f in (stages, out)]
        for manifest in manifests:
            del manifest["duration_seconds"], manifest["commands"]
            for entry in manifest["inputs"]:
                del entry["path"]
        assert manifests[0] == manifests[1]

    def test_each_stage_takes_its_own_options(self, parts: list[Path], tmp_path: Path) -> None:
        """What a stage that has not run yet was not asked for is no change."""
        config = tmp_path / "my.toml"
        config.write_text("[text]\nmin_tokens = 8\n[filter]\nmin_wikitext = 300\n")
        whole, stages = tmp_path / "whole", tmp_path / "stages"
        options = ("--reverts", "keep", "--seed", 7, "--split", "sentence", "--config", config)
        assert extract(whole, *options, *parts).code == 0
        command = ("detect", "--lang", "en", "--workers", 1, "-o", stages)
        assert wikibias(*command, *parts).code == 0
        for stage in (
            ("diff", "--config", config),
            ("filter", "--reverts", "keep", "--config", config),
            ("build", "--seed", 7, "--split", "sentence", "--config", config),
        ):
            ended = wikibias(*stage, "--workers", 1, stages)
            assert (ended.code, ended.err) == (0, ""), stage
        assert files(stages, "edits", "rejects", "corpus") == files(
            whole, "edits", "rejects", "corpus"
        )

    def test_extract_goes_on_where_a_stage_ended(
        self, parts: list[Path], out: Path, done: dict[str, bytes], tmp_path: Path
    ) -> None:
        stages = tmp_path / "stages"
        assert wikibias("detect", "--lang", "en", "--workers", 1, "-o", stages, *parts).code == 0
        before = times(stages)
        assert extract(stages, *parts).code == 0
        assert files(stages) == done
        assert before.items() <= times(stages).items()

    @pytest.mark.parametrize(
        ("ran", "asked", "missing"),
        [(0, "filter", "diff"), (0, "build", "diff"), (1, "build", "filter")],
    )
    def test_a_stage_before_its_turn_is_refused(
        self, ran: int, asked: str, missing: str, parts: list[Path], out: Path
    ) -> None:
        assert wikibias("detect", "--lang", "en", "--workers", 1, "-o", out, *parts).code == 0
        for stage in ("diff", "filter")[:ran]:
            assert wikibias(stage, "--workers", 1, out).code == 0
        before = files(out)
        check_refused(wikibias(asked, out), f"wikibias {missing}")
        assert files(out) == before


class TestRestart:
    def test_begins_anew(
        self, parts: list[Path], out: Path, done: dict[str, bytes], tmp_path: Path
    ) -> None:
        assert extract(out, "--seed", 9, "--restart", *parts[1:]).code == 0
        fresh = tmp_path / "fresh"
        assert extract(fresh, "--seed", 9, *parts[1:]).code == 0
        assert files(out) == files(fresh)
        assert not any("part1" in name for name in files(out))
        assert json.loads((out / "manifest.json").read_text())["settings"]["build"]["seed"] == 9

    def test_of_a_later_stage_leaves_the_earlier_ones(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        before = times(out)
        assert wikibias("build", "--seed", 9, "--restart", out).code == 0
        after = times(out)
        changed = {name.split("/")[0] for name in after if after[name] != before.get(name)}
        assert changed == {"corpus"}
        assert wikibias("filter", "--workers", 1, "--reverts", "keep", "--restart", out).code == 0
        assert "corpus/train.tsv" not in files(out)
        assert times(out)["diffs/part1.xml.parquet"] == before["diffs/part1.xml.parquet"]

    def test_on_a_folder_that_is_not_there_yet(self, parts: list[Path], out: Path) -> None:
        assert extract(out, "--restart", *parts).code == 0

    def test_removes_nothing_that_it_has_not_made(self, parts: list[Path], out: Path) -> None:
        """`-o .` in a folder that has a `corpus` of its own."""
        (out / "corpus").mkdir(parents=True)
        (out / "corpus/thesis.tex").write_text("three years of work")
        assert extract(out, "--restart", *parts).code in (0, 2)
        assert (out / "corpus/thesis.tex").is_file()

    def test_mends_a_broken_manifest(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        (out / "manifest.json").write_text('{"half": ')
        assert extract(out, *parts).code == 0
        assert files(out) == done
        (out / "manifest.json").write_text('{"name": "theirs"}')
        check_refused(extract(out, *parts), "manifest.json", "--restart")
        assert extract(out, "--restart", *parts).code == 0
        assert files(out) == done

    def test_mends_a_broken_table(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        for kind in ("transitions", "edits"):
            table = out / kind / "part1.xml.parquet"
            table.write_bytes(table.read_bytes()[:100])
            assert extract(out, *parts).code == 0
            assert files(out) == done


def spoil(path: Path) -> None:
    """Put numbers in the place of the texts in a table of transitions."""
    table = pq.read_table(path)
    texts = pa.array([1] * len(table))
    place = table.schema.get_field_index("before_text")
    spoilt = table.set_column(place, "before_text", texts)
    pq.write_table(spoilt.replace_schema_metadata(pq.read_metadata(path).metadata), path)


class TestAPartThatFails:
    """What one part raises ends this part only; here, a table that somebody has spoilt."""

    @pytest.mark.parametrize("workers", [1, 2])
    def test_the_others_are_done_and_no_corpus_is_built(
        self, workers: int, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        """It is said again by `status`; mended, the same command does what is left."""
        table = out / "transitions/part2.xml.parquet"
        sound = table.read_bytes()
        for kind in ("diffs", "edits", "rejects", "corpus"):
            shutil.rmtree(out / kind)
        spoil(table)
        ended = extract(out, "-q", "--workers", workers, *parts)
        assert ended.code == 1
        first, last = ended.err.splitlines()
        assert first.startswith(f"Error: {parts[1]} failed: ")
        assert last.startswith("1 of 4 parts failed; no corpus is built without them. ")
        manifest = json.loads((out / "manifest.json").read_text())
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

    def test_a_traceback_is_shown_with_debug(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        table = out / "transitions/part2.xml.parquet"
        spoil(table)
        command = ("diff", "--workers", 1, "--restart", "--scope", "page", out)
        assert "Traceback" not in wikibias(*command).err
        assert "part2.xml: Traceback" in wikibias(*command, "--debug").err


PARTS = ("a", "b", "c")


class TestWorkers:
    def test_their_number_is_no_matter(self, tmp_path: Path) -> None:
        inputs = write_parts(tmp_path / "in", 5)
        # Of unlike sizes, so that they end in another order than they began.
        inputs[0].write_bytes(export([history("Village 0", 30)]))
        results = []
        for workers in (1, 3):
            folder = tmp_path / str(workers)
            ended = wikibias(
                *("extract", "--lang", "en", "--workers", workers, "-o", folder), *inputs
            )
            assert (ended.code, ended.err) == (0, "")
            results.append((files(folder), ended.out.replace(str(folder), "")))
        assert results[0] == results[1]
        kinds = {name.split("/")[0] for name in results[0][0]}
        assert kinds == {"transitions", "diffs", "edits", "rejects", "corpus"}


def done(folder: Path, work: Work, workers: int) -> dict[str, Any]:
    """Do some work on three parts; return what came of each."""
    tasks = [PartTask(folder, Part(name, (f"{name}.xml",)), work) for name in PARTS]
    found = {part.name: result for part, result in run_tasks(tasks, Workers(workers), no_progress)}
    assert sorted(found) == list(PARTS)
    assert list(folder.glob(".*.trace")) == []
    return found


def raising(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    if part.name == "b":
        raise ZeroDivisionError("by nought")
    return part.name


def damaged(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    if part.name == "b":
        raise DumpError("is cut off")
    return part.name


def misused(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    raise UsageError("no such thing")


def counting(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> list[int]:
    """Work on pages 1 to 4, of which 3 kills the worker of part b."""
    counted = []
    for number in (1, 2, 3, 4):
        if pool.trace.at(f"page {number}"):
            if (part.name, number) == ("b", 3):
                os.kill(os.getpid(), signal.SIGKILL)
            counted.append(number)
    return counted


def killed_once(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> list[int]:
    """Work on pages 1 to 4; the worker of each part is killed once."""
    for number in (1, 2, 3, 4):
        assert pool.trace.at(f"page {number}")
        mark = folder / f"{part.name}.killed"
        if number == 2 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return [1, 2, 3, 4]


def hopeless(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    """End the worker of part b outside of any page."""
    if part.name == "b":
        os.kill(os.getpid(), int((folder / "signal").read_text()))
    return part.name


def noted(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    """Note that the part has begun, and wait until all workers have a part."""
    with (folder / "begun").open("a") as file:
        file.write(f"{part.name}\n")
    while len((folder / "begun").read_text().split()) < 2:
        time.sleep(0.01)
    return part.name


class TestOrder:
    @pytest.mark.parametrize(("workers", "first"), [(1, ["a", "b"]), (2, ["b", "c"])])
    def test_several_workers_begin_with_the_largest_parts(
        self, workers: int, first: list[str], tmp_path: Path
    ) -> None:
        (tmp_path / "begun").write_text("x\n" if workers == 1 else "")
        tasks = []
        for name, size in zip(PARTS, (1, 3, 2), strict=True):
            (tmp_path / name).write_bytes(b"x" * size)
            tasks.append(PartTask(tmp_path, Part(name, (str(tmp_path / name),)), noted))
        ended = [part.name for part, _ in run_tasks(tasks, Workers(workers), no_progress)]
        begun = [name for name in (tmp_path / "begun").read_text().split() if name != "x"]
        assert sorted(begun[:2]) == first
        assert sorted(ended) == list(PARTS)


class TestFaults:
    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize(
        ("work", "said"),
        [
            (raising, "failed: ZeroDivisionError: by nought (test_runner.py:"),
            (damaged, "failed: is cut off"),
        ],
        ids=["raising", "damaged"],
    )
    def test_an_error_fails_its_part_only(
        self, work: Work, said: str, workers: int, tmp_path: Path
    ) -> None:
        found = done(tmp_path, work, workers)
        assert (found["a"], found["c"]) == ("a", "c")
        assert isinstance(found["b"], Failed)
        assert found["b"].reason.startswith(said)
        assert ("a bug in wikibias" in found["b"].reason) == (work is raising)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_wrong_usage_ends_the_run(self, workers: int, tmp_path: Path) -> None:
        with pytest.raises(UsageError):
            done(tmp_path, misused, workers)

    def test_what_kills_its_worker_twice_is_passed_over(self, tmp_path: Path) -> None:
        assert done(tmp_path, counting, 2) == {"a": [1, 2, 3, 4], "b": [1, 2, 4], "c": [1, 2, 3, 4]}

    def test_a_worker_killed_once_costs_time_only(self, tmp_path: Path) -> None:
        assert done(tmp_path, killed_once, 2) == {part: [1, 2, 3, 4] for part in PARTS}

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
    def test_it_gives_up_in_the_end(self, number: signal.Signals, tmp_path: Path) -> None:
        """Fewer workers help against a want of memory, and against nothing else."""
        (tmp_path / "signal").write_text(str(int(number)))
        found = done(tmp_path, hopeless, 2)
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
    with pytest.raises(WikibiasError, match="before they begin to work"):
        done(tmp_path, raising, 2)
