"""Stages one by one or at once, and over again, give the same result."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exports import files, wikibias
from results import check_refused, extract, times


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
