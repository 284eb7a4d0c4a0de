"""Stopping and going on: whatever happens to a run, the same command ends with the same bytes."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clusters import wait_for
from command_to_kill import Forked, forked
from exports import Files, export, files, history, rows, start, temporary_files, wikibias
from results import check_refused, detect, extract, manifest_of, times, untouched, write_parts

Big = tuple[list[Path], Files]
INTERRUPTED = "Interrupted. The same command does what is left; finished work is not done again."


def test_the_same_again_does_nothing(parts: list[Path], out: Path, done: Files) -> None:
    """Also in another order, by a folder or a pattern, and with an input that was touched."""
    before = times(out)
    ended = extract(out, *parts).silent()
    assert "Table 3" in ended.out
    assert files(out) == done
    assert times(out) == before
    os.utime(parts[1], (1, 1))
    for inputs in (reversed(parts), [parts[0].parent], [parts[0].parent / "part*.xml"]):
        assert extract(out, *inputs).code == 0
        assert times(out) == before


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with a dump and a configuration, and its whole result; nobody changes them."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "a.xml").write_bytes(export([history("Village", 2)]))
    (folder / "my.toml").write_text("[filter]\nmin_wikitext = 399\n[text]\nmin_tokens = 5\n")
    config = ("--config", folder / "my.toml")
    assert extract(folder / "o", *config, folder / "a.xml").code == 0
    return folder, folder / "o"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--seed", "3"], "build.seed: 0 -> 3"),
        (["--split", "sentence"], "build.split: page -> sentence"),
        (["--per", "any"], "detect.per: tag -> any"),
        (["--reverts", "keep"], "filter.reverts: drop -> keep"),
        (["--limit", "1"], "detect.limit: unset -> 1"),
        (["--namespace", "1"], "detect.namespaces: [0] -> [1]"),
        (["--scope", "tagged"], "diff.scope: page -> tagged"),
        (["--pairing", "tagged-span"], "detect.pairing"),
        (["--with-editors"], "detect.with_editors: False -> True"),
        (["--lang", "fr", "--lang-anyway"], "detect.lang: en -> fr"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_another_option_is_refused(options: list[str], said: str, whole: tuple[Path, Path]) -> None:
    folder, result = whole
    before, manifest = times(result), (result / "manifest.json").read_bytes()
    config = ("--config", folder / "my.toml")
    check_refused(extract(result, *config, *options, folder / "a.xml"), said, "--restart")
    assert times(result) == before
    assert (result / "manifest.json").read_bytes() == manifest


def test_another_configuration_file_is_refused(whole: tuple[Path, Path], tmp_path: Path) -> None:
    folder, result = whole
    before = times(result)
    ended = extract(result, folder / "a.xml")
    said = ("filter.limits.min_wikitext: 399 -> 400", "build.min_tokens: 5 -> 6")
    check_refused(ended, *said)
    mine = tmp_path / "my.toml"
    mine.write_text("[filter]\nmin_wikitext = 300\n[text]\nmin_tokens = 5\n")
    ended = extract(result, "--config", mine, folder / "a.xml")
    check_refused(ended, "filter.limits.min_wikitext: 399 -> 300")
    assert "min_tokens" not in ended.err
    assert times(result) == before


@pytest.mark.parametrize("same_size", [True, False])
def test_another_input_is_refused(
    same_size: bool, parts: list[Path], out: Path, done: Files
) -> None:
    content = parts[2].read_bytes()
    changed = content.replace(b"chapel", b"church" if same_size else b"great church")
    assert changed != content
    parts[2].write_bytes(changed)
    check_refused(extract(out, *parts), "part3.xml has changed", "--restart")
    assert files(out) == done


@pytest.mark.parametrize("text", ["no dump\n", "<html><p>No dump.</p></html>\n"])
def test_what_is_no_dump_is_left_out_when_it_is_not_given_again(
    text: str, parts: list[Path], out: Path
) -> None:
    other = parts[0].with_name("other.xml")
    other.write_text(text)
    assert extract(out, *parts, other).code == 1
    extract(out, *parts).well()
    assert len(manifest_of(out)["inputs"]) == len(parts)


def test_an_input_that_changes_between_the_stages_is_refused(parts: list[Path], out: Path) -> None:
    """As soon as a part was read: what was read must not be passed off as the new file's."""
    assert detect(out, *parts).code == 0
    before = files(out)
    parts[1].write_bytes(export([history("Another", 1)], first_id=70_000))
    check_refused(detect(out, *parts), "part2.xml has changed")
    check_refused(extract(out, *parts), "part2.xml has changed")
    assert files(out) == before


def test_a_later_stage_leaves_the_record_true(parts: list[Path], out: Path) -> None:
    """`detect` on a whole result says nothing of how its corpus is to be built."""
    assert extract(out, "--seed", 5, "--reverts", "keep", *parts).code == 0
    before = manifest_of(out)
    assert detect(out, *parts).code == 0
    after = manifest_of(out)
    assert after["settings"] == before["settings"]
    assert after["corpus"] == before["corpus"]
    assert extract(out, "--seed", 5, "--reverts", "keep", *parts).code == 0


DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda sound: None,
    "cut off": lambda sound: sound[: len(sound) // 2],
    "a bad page": lambda sound: sound.replace(b"<timestamp>2", b"<timestamp>x", 1),
}


@pytest.mark.parametrize(
    ("damage", "shard"),
    [("gone", ()), ("cut off", ()), ("a bad page", ()), ("a bad page", ("--shard", "1/1"))],
    ids=str,
)
def test_a_failed_part_is_redone_alone_when_mended(
    damage: str, shard: tuple[str, ...], parts: list[Path], out: Path, template: Path
) -> None:
    sound, whole = parts[1].read_bytes(), template / "out"
    parts[1].unlink()
    if (content := DAMAGES[damage](sound)) is not None:
        assert content != sound
        parts[1].write_bytes(content)
    ended = extract(out, *parts)
    assert (ended.code, len(ended.errors)) == (1, 1)
    before, damaged = times(out), files(out)
    assert any(b"manifest.json names them" in each for each in damaged.values()) == (
        damage == "a bad page"
    )
    # As it was: it fails again, and nothing else is touched, or read where only a page is bad.
    assert extract(out, *parts).code == 1
    assert files(out) == damaged
    assert untouched(before, times(out), "part2.xml")
    assert damage != "a bad page" or times(out) == before
    parts[1].write_bytes(sound)
    extract(out, *shard, *parts).silent()
    if shard:
        assert "Corpus: not built yet." in wikibias("status", out).out
    extract(out, *parts).silent()
    assert untouched(before, times(out), "part2.xml")
    tables = ("edits", "rejects", "corpus")
    assert files(out, *tables) == files(whole, *tables)
    assert rows(out, "transitions") == rows(whole, "transitions")
    assert manifest_of(out)["complete"] is True


# Runs that are stopped -------------------------------------------------------------------------

only_linux = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks into /proc for processes that are left"
)


def alive(group: int) -> list[int]:
    """Return the processes of a group that are not dead; a zombie is."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, process_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(process_group) == group and state not in "ZX":
            found.append(int(path.parent.name))
    return found


@contextmanager
def running(*arguments: object) -> Iterator[Forked]:
    """Run the command line in a group of processes, and leave none of them behind."""
    with forked(*arguments) as command:
        try:
            yield command
        finally:
            for left in alive(command.pid):
                os.kill(left, signal.SIGKILL)


def ctrl_c(command: Forked) -> None:
    """Interrupt a command and all its processes, which hear of it first."""
    for other in alive(command.pid):
        if other != command.pid:
            os.kill(other, signal.SIGINT)
    time.sleep(0.3)
    command.signal(signal.SIGINT)


def check_interrupted(command: Forked) -> None:
    """Check that it ends, with all its processes, and says so in one line."""
    assert command.ended() == 130
    assert (command.out, command.err.strip()) == ("", INTERRUPTED)  # after the line of the ^C
    wait_for(lambda: not alive(command.pid))


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Big:
    """Return four parts of some dozen revisions, and the files of their whole result."""
    folder = tmp_path_factory.mktemp("big")
    inputs = write_parts(folder / "in", 20, pages=1)
    assert extract(folder / "out", *inputs).code == 0
    return inputs, files(folder / "out")


@only_linux
@pytest.mark.parametrize(("workers", "moment"), [(2, "diffs/.*.tmp"), (1, "corpus")])
def test_a_kill_costs_time_only(workers: int, moment: str, big: Big, tmp_path: Path) -> None:
    inputs, expected = big
    result = tmp_path / "o"
    command = ("extract", "--lang", "en", "--workers", workers, "-o", result, *inputs)
    with start(*command) as process:
        wait_for(lambda: any(result.glob(moment)) or process.poll() is not None)
        process.kill()
        assert process.wait() == -signal.SIGKILL, "it had ended before it was killed"
        # What has its name is whole, at once.
        for name, content in files(result).items():
            if not name.endswith(".tmp"):
                assert content == expected[name]
        # The orphans of a killed run may still be at work.
        extract(result, "-q", *inputs).silent()
        wait_for(lambda: not alive(process.pid))
    assert files(result) == expected
    assert temporary_files(result) == []
    assert manifest_of(result)["complete"] is True


@only_linux
class TestInterrupt:
    """Ctrl-C and a closed terminal reach all processes of a terminal, `kill` only the one."""

    @pytest.mark.parametrize(
        ("how", "workers"), [("ctrl-c", 1), ("ctrl-c", 2), ("sigterm", 2), ("sighup", 1)]
    )
    def test_leaves_nothing_behind(
        self, how: str, workers: int, parts: list[Path], out: Path, tmp_path: Path
    ) -> None:
        pipe = tmp_path / "z.xml"
        os.mkfifo(pipe)
        command = ("extract", "--lang", "en", "--workers", workers, "-o", out, parts[0], pipe)
        # Open for both, it need not wait for a reader.
        with running(*command) as run, pipe.open("r+b", buffering=0) as held:
            held.write(export([history("Slow", 40)])[:40_000])
            # One part is done, so its worker is idle; the other is being read.
            wait_for(lambda: any(out.glob("transitions/.wikibias-z.xml*.tmp")))
            wait_for((out / "edits/part1.xml.parquet").is_file)
            time.sleep(0.2)
            if how == "ctrl-c":
                ctrl_c(run)
            elif how == "sighup":
                for _ in range(20):
                    os.killpg(run.pid, signal.SIGHUP)
                    time.sleep(0.02)
            else:
                run.signal(signal.SIGTERM)
            check_interrupted(run)
        assert temporary_files(out) == []
        assert (out / "edits/part1.xml.parquet").is_file()
        assert not (out / "transitions/z.xml.parquet").exists()
        # The same command goes on: here the pipe is a file by now.
        pipe.unlink()
        pipe.write_bytes(export([history("Slow", 4)], first_id=700_000))
        before = times(out)
        assert extract(out, parts[0], pipe).code == 0
        assert before.items() <= times(out).items()
        assert extract(tmp_path / "whole", parts[0], pipe).code == 0
        assert files(out) == files(tmp_path / "whole")

    def test_while_the_workers_start(self, big: Big, tmp_path: Path) -> None:
        """They print nothing of their own, such as the traceback of an import cut short."""
        inputs, expected = big
        result = tmp_path / "o"
        command = ("extract", "--lang", "en", "--workers", 2, "-o", result, *inputs)
        with running(*command) as run:
            # This one and the two workers.
            wait_for(lambda: len(alive(run.pid)) >= 3)
            time.sleep(0.5)
            ctrl_c(run)
            check_interrupted(run)
        assert temporary_files(result) == []
        assert expected.items() >= files(result).items()


@only_linux
def test_of_two_runs_the_first_goes_on(parts: list[Path], out: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "z.xml"
    os.mkfifo(pipe)
    content = export([history("Slow", 3)])
    assert len(content) < 60_000  # fits into a pipe
    with running("extract", "--lang", "en", "--workers", 1, "-o", out, pipe) as run:
        with pipe.open("r+b", buffering=0) as held:
            wait_for(lambda: any(out.glob("transitions/.wikibias-z.xml*.tmp")))
            for command in (
                ("extract", "--lang", "en", "-o", out, parts[0]),
                ("extract", "--lang", "en", "--restart", "-o", out, pipe),
                ("build", out),
            ):
                check_refused(wikibias(*command), "another run", str(out))
            assert len(temporary_files(out)) == 4  # of all tables of the part
            held.write(content)
        assert (run.ended(), run.err) == (0, "")
    assert len(rows(out, "edits")) == 3


def test_a_mistyped_name_may_be_put_right(parts: list[Path], out: Path, template: Path) -> None:
    """What failed for want of a file is forgotten when the right name takes its place."""
    assert extract(out, parts[0].with_name("pert1.xml"), *parts[1:]).code == 1
    assert extract(out, *parts).code == 0
    assert files(out, "corpus") == files(template / "out", "corpus")
    assert not [name for name in files(out) if "pert1" in name]


def test_after_standard_input_stages_go_on_and_detect_refuses(parts: list[Path], out: Path) -> None:
    command = ("detect", "--lang", "en", "--workers", 1, "-o", out, "-")
    assert wikibias(*command, stdin=parts[0].read_bytes()).code == 0
    for stage in ("diff", "filter", "build"):
        assert wikibias(stage, "--workers", 1, out).code == 0
    before = files(out)
    again = wikibias(*command, stdin=parts[1].read_bytes())
    check_refused(again, "stdin", "cannot be compared", "--restart")
    assert files(out) == before
