"""Folders of trained taggers and rewriters: a description with the checksum of each file.

What a description says is that of whoever made the folder: no name in it leads out of the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits.files import atomic_files, disk_errors, read_json, write_json
from wikibias.kits.folders import is_file_name

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

    def save(
        self, folder: Path, write: Callable[[Path], Mapping[str, Any]], facts: Mapping[str, Any]
    ) -> None:
        """Write what `write` writes, and a description of it with the checksums.

        Args:
            folder: where to.
            write: writes files into a folder, and returns what else to describe.
            facts: further ones, which `write` may not need.

        Raises:
            DiskError: the folder cannot be written.
        """
        with atomic_files(folder) as temporary:
            more = write(temporary)
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


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
