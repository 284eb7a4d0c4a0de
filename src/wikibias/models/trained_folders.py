"""Trained taggers and rewriters by name, and their folders: files and their checksums.

What a description says is that of whoever made the folder: no name in it leads out of the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import atomic_files, disk_errors, read_json, write_json, write_text
from wikibias.kits.folders import is_file_name, refuse_foreign
from wikibias.kits.plugins import Registry, check_arguments

CARD = "README.md"
DAMAGED = (
    ArithmeticError,
    AttributeError,
    KeyError,
    IndexError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What reading a folder raises whose contents are not as they were written."""
_BLOCK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class FolderKind:
    """What a folder holds.

    Attributes:
        what: "tagger" or "rewriter"; also the key of its name in the description.
        made_by: the command that makes such a folder.
        largest: bytes of a file; a larger one is not read.
    """

    what: str
    made_by: str
    largest: int

    @property
    def description(self) -> str:
        """The name of the description."""
        return f"{self.what}.json"

    @property
    def format(self) -> str:
        """How the description names its own version."""
        return f"wikibias-{self.what}/1"

    def write(
        self, folder: Path, save: Callable[[Path], Mapping[str, Any]], facts: Mapping[str, Any]
    ) -> None:
        """Write what `save` writes, and a description of it with the checksums.

        Args:
            folder: where to.
            save: writes files into a folder, and returns what else to describe.
            facts: further ones, which `save` may not need.

        Raises:
            DiskError: the folder cannot be written.
        """
        with atomic_files(folder) as temporary:
            more = save(temporary)
            files = {
                path.name: {"bytes": path.stat().st_size, "sha256": _digest(path)}
                for path in sorted(temporary.iterdir())
            }
            described = {"format": self.format, **more, **facts, "files": files}
            write_json(temporary / self.description, described)

    def describe(self, folder: Path) -> dict[str, Any]:
        """Read the description.

        Raises:
            WikibiasError: the folder holds none, one of another version, or a damaged one.
        """
        path = folder / self.description
        try:
            described = read_json(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise WikibiasError(
                f"{folder}: no {self.description} in it; give the folder that `{self.made_by}` made"
            ) from error
        except OSError as error:
            raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
        except ValueError as error:
            raise WikibiasError(f"{path}: damaged ({error})") from error
        if not isinstance(described, dict) or described.get("format") != self.format:
            raise WikibiasError(
                f"{path}: not the description of a {self.what} of this version ({self.format})"
            )
        return described

    def holds(self, folder: Path) -> bool:
        """Return whether a folder holds such a thing, of any version, or what is left of one."""
        try:
            described = read_json(folder / self.description)
        except OSError:
            return False
        except ValueError:
            return True
        found = described.get("format") if isinstance(described, dict) else None
        return isinstance(found, str) and found.startswith(f"wikibias-{self.what}/")

    def verify(self, folder: Path, files: Mapping[str, Mapping[str, Any]]) -> None:
        """Make sure that each file has the size and the checksum of the description.

        Raises:
            WikibiasError: one has not, or is none of the folder.
        """
        for name, facts in files.items():
            path = folder / name
            if not is_file_name(name) or path.is_symlink() or not path.is_file():
                raise WikibiasError(
                    f"{folder}: no file {name[:80]!r} of the {self.what}; train it again"
                )
            if facts["bytes"] > self.largest:
                raise WikibiasError(
                    f"{path}: larger than {self.largest / 1e9:.0f} GB; it is not read"
                )
            if path.stat().st_size != facts["bytes"] or _digest(path) != facts["sha256"]:
                raise WikibiasError(
                    f"{path}: not the file that {self.description} has the checksum of; "
                    "train it again"
                )

    def clear(self, folder: Path) -> None:
        """Remove the files of what is replaced, if it is there, and no file of anybody else.

        Raises:
            DiskError: one cannot be removed.
        """
        if not self.holds(folder):
            return
        files: Any = None
        with suppress(WikibiasError):
            files = self.describe(folder).get("files")
        names = filter(is_file_name, files if isinstance(files, dict) else ())
        with disk_errors(folder):
            for name in (*names, CARD, self.description):
                (folder / name).unlink(missing_ok=True)


class Trainable(Protocol):
    """A model whose class is called with `seed` and its parameters, all by name.

    What is defined here is that of a model that needs no library and has no file.
    """

    name: str
    seed: int
    parameters: dict[str, Any]

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        return None

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model; return what else `load` needs, as JSON."""
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote, given its description."""
        ...


M = TypeVar("M", bound=Trainable)


class TrainedModels(Generic[M]):
    """Models of one kind: found by name, created, saved to a folder of their own, and loaded.

    Args:
        folder: what their folders hold.
        group: the group of entry points in which other packages add theirs.
        own: name -> "module:class" of our own, imported only when asked for.
    """

    def __init__(self, folder: FolderKind, group: str, own: Mapping[str, str]) -> None:
        self.folder = folder
        self.registry: Registry[type[M]] = Registry(folder.what, group, own)

    def installed(self, name: str) -> type[M]:
        """Return the class of a name.

        Raises:
            UsageError: nobody has registered the name, or a library that it needs is missing.
        """
        model = self.registry[name]
        if missing := model.missing():
            raise UsageError(missing)
        return model

    def create(self, name: str, **parameters: Any) -> M:
        """Return an untrained model.

        Raises:
            UsageError: no such model, it has no such parameter, or a library is missing.
        """
        model = self.installed(name)
        check_arguments(f"{self.folder.what} {name!r}", model, {*parameters})
        return model(**parameters)

    def check_folder(self, folder: Path, *, overwrite: bool) -> None:
        """Make sure that a folder is empty, or holds a model of this kind that may be replaced.

        Raises:
            UsageError: it is not so.
        """
        refuse_foreign(folder, self.folder.holds)
        if self.folder.holds(folder) and not overwrite:
            raise UsageError(
                f"{folder} holds a {self.folder.what}; --overwrite replaces it, --out names "
                "another folder"
            )

    def save(
        self,
        model: M,
        folder: Path,
        facts: Mapping[str, Any],
        card: Callable[[Mapping[str, Any]], str] | None = None,
    ) -> dict[str, Any]:
        """Write a model in place of another, with further `facts`; return its description.

        Args:
            model: what to write.
            folder: where to.
            facts: for the description.
            card: writes the card, given the description.

        Raises:
            DiskError: the folder cannot be written.
        """

        def save(temporary: Path) -> dict[str, Any]:
            known = {
                self.folder.what: model.name,
                "seed": model.seed,
                "parameters": dict(model.parameters),
            }
            return known | model.save(temporary)

        self.folder.clear(folder)
        self.folder.write(folder, save, facts)
        described = self.folder.describe(folder)
        if card is not None:
            write_text(folder / CARD, card(described))
        return described

    def load(self, folder: Path) -> tuple[M, dict[str, Any]]:
        """Read a model that `save` wrote, and its description, once its files are as they were.

        Raises:
            UsageError: a library that it needs is missing.
            WikibiasError: a file is not the one whose checksum the description has; the package
                that adds the model is missing; or see `FolderKind.describe`.
        """
        described, what = self.folder.describe(folder), self.folder.what
        path = folder / self.folder.description
        try:
            self.folder.verify(folder, described["files"])
            name = str(described[what])
            if name not in self.registry:
                raise WikibiasError(
                    f"{path}: nothing installed adds a {what} {name!r}; install the package that "
                    "does"
                )
            return self.installed(name).load(folder, described), described
        except DAMAGED as error:
            raise WikibiasError(f"{path}: damaged ({type(error).__name__}: {error})") from error


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
