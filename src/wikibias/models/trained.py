"""Models that are trained: found by name, created, saved to folders of their own, and loaded."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.document import Document, markdown
from wikibias.kits.files import write_text
from wikibias.kits.folders import CARD, ResultFolder
from wikibias.kits.plugins import Registry, check_arguments


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

    def __init__(self, folder: ResultFolder, group: str, own: Mapping[str, str]) -> None:
        self.folder = folder
        self.registry: Registry[type[M]] = Registry(folder.kind, group, own)

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
        check_arguments(f"{self.folder.kind} {name!r}", model, {*parameters})
        return model(**parameters)

    def save(
        self,
        model: Trainable,
        folder: Path,
        facts: Mapping[str, Any],
        card: Callable[[Mapping[str, Any]], Document] | None = None,
    ) -> dict[str, Any]:
        """Write a model in place of another, with further `facts`; return its description.

        Args:
            model: what to write.
            folder: where to.
            facts: for the description.
            card: returns the card, given the description.

        Raises:
            DiskError: the folder cannot be written.
        """

        def save(temporary: Path) -> dict[str, Any]:
            known = {
                self.folder.kind: model.name,
                "seed": model.seed,
                "parameters": dict(model.parameters),
            }
            return known | model.save(temporary)

        self.folder.save(folder, save, facts)
        described = self.folder.describe(folder)
        if card is not None:
            write_text(folder / CARD, markdown(card(described)))
        return described

    def load(
        self, folder: Path, read: Callable[[Path, Mapping[str, Any]], M] | None = None
    ) -> tuple[M, dict[str, Any]]:
        """Read a model that `save` wrote, and its description, once its files are as they were.

        Args:
            folder: of the model.
            read: reads the files, given the description; by default the model's class does.

        Raises:
            UsageError: a library that it needs is missing.
            WikibiasError: a file is not the one whose checksum the description has; the package
                that adds the model is missing; or see `ResultFolder.describe`.
        """
        described = self.folder.describe(folder)
        with self.folder.naming_damage(folder):
            self.folder.verify(folder, described.get("files", {}))  # older ones noted none
            found = (read or self.of(folder, described).load)(folder, described)
        return found, described

    def of(self, folder: Path, described: Mapping[str, Any]) -> type[M]:
        """Return the class of a model by its description.

        Raises:
            UsageError: a library that it needs is missing.
            WikibiasError: the package that adds it is missing.
        """
        what = self.folder.kind
        name = str(described[what])
        if name not in self.registry:
            raise WikibiasError(
                f"{folder / self.folder.description}: nothing installed adds a {what} {name!r}; "
                "install the package that does"
            )
        return self.installed(name)
