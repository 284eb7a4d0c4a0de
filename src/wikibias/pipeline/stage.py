"""A stage of the pipeline as a value. Light to import: `--help` lists the stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from wikibias.kits.schemas import Table

if TYPE_CHECKING:
    from wikibias.pipeline.jobs import CorpusJob, PartJob

KEPT = "kept"
# The setting in the section `diff` on which the output of every stage depends.
LANGUAGE = "language_version"


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline.

    Args:
        name: its command, and its name in the manifest.
        title: what its command does, in a few words.
        description: the same in a sentence.
        reads: the tables it reads; none where it reads the dump.
        writes: the tables it writes. The last one is complete last, and so says that it is done.
        settings: the sections of the settings on which its output depends.
        run: "module:function", imported when it is run, or the function itself. It gets a
            `PartJob`; or a `CorpusJob`, where the stage has `files`.
        progress: what a progress bar says of it.
        prepare: "module:function", which workers that share a part call first, with the settings.
        joins: the stage in whose reading of a part it is done as well, where both are asked for.
        example: options in the example of its help.
        files: what a stage over all parts writes, by name in the result folder.
        files_on_request: what it writes besides, where its settings ask for it.
    """

    name: str
    title: str
    description: str
    reads: tuple[Table[Any], ...]
    writes: tuple[Table[Any], ...]
    settings: tuple[str, ...]
    run: str | Callable[[Any], Any]
    progress: str = "working"
    prepare: str | None = None
    joins: str | None = None
    example: str = ""
    files: tuple[str, ...] = ()
    files_on_request: tuple[str, ...] = ()

    @property
    def is_per_part(self) -> bool:
        """Whether it is done on each part by itself."""
        return not self.files

    def do(self, job: PartJob | CorpusJob) -> Any:
        """Run it."""
        if not isinstance(self.run, str):
            return self.run(job)
        module, _, function = self.run.partition(":")
        return getattr(import_module(module), function)(job)
