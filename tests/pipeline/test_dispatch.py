"""Work on parts, by any number of workers."""

from __future__ import annotations

from pathlib import Path

from exports import export, files, history, wikibias
from results import write_parts


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
