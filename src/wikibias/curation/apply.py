"""Decided proposals into a tag-set file, whose comments and earlier decisions stay as they are.

The only module that knows tomlkit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Array

from wikibias.curation.suggest import OPEN, YES, Suggestion
from wikibias.errors import UsageError
from wikibias.kits.checked import TomlFile, read_text
from wikibias.kits.files import write_text
from wikibias.tags.tagset import Provenance, TagSet, parse_tagset

_HEAD = """# Templates of the {lang} Wikipedia, proposed from counts of its dump; see [provenance].
lang = "{lang}"
ignore_case = false
verified = false
"""


@dataclass(slots=True)
class Applied:
    """What `apply` did: names added, taken out, and left as an earlier hand decided, in order.

    `begun` is the file it began from, None for a set made from nothing; `changed` is false where
    there was nothing to change, so that nothing was written.
    """

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept_by_hand: list[str] = field(default_factory=list)
    undecided: int = 0
    begun: Path | None = None
    changed: bool = True


def apply(
    path: Path,
    name: str,
    lang: str,
    proposals: Sequence[Suggestion],
    *,
    model: Path | None = None,
) -> Applied:
    """Add the names that are to be kept to a tag-set file, and take out those that are not.

    Where there is no such file, one is made: a copy of `model`, or else from nothing. Where
    nothing is to change, nothing is written.

    What was decided by hand before, and is merely proposed otherwise now, stays as it was. The
    file's [provenance] says which counts the names come from and which were decided by hand.

    Raises:
        UsageError: none of the proposals is to be kept in a new file, or they do not fit the file:
            a name under two tags, one that cannot be a title, a canonical name that is to be taken
            out. The file is then as it was.
        DiskError: the file cannot be written.
    """
    start = path if path.exists() else model
    if start is None and not any(proposal.keep == YES for proposal in proposals):
        raise UsageError("no name has a yes in the column keep, so there is no set to be made")
    text = _HEAD.format(lang=lang) if start is None else read_text(start)
    file = _File(text, path, name, new=start is None)
    done = Applied(begun=start)
    for proposal in proposals:
        file.decide(proposal, done)
    done.changed = bool(done.added or done.removed or file.decided_more())
    if not done.changed:
        return done
    file.note(proposals)
    text = file.text()
    parse_tagset(TomlFile(text, path), name)
    write_text(path, text)
    return done


class _File:
    """A tag-set file being changed."""

    def __init__(self, text: str, path: Path, name: str, *, new: bool) -> None:
        before = None if new else parse_tagset(TomlFile(text, path), name)
        self._doc = tomlkit.parse(text)
        self._path = path
        if new:
            self._doc["tag"] = tomlkit.aot()
        self._ignore_case = before is not None and before.ignore_case
        known = before.provenance if before else Provenance()
        self._generated = {self._key(n): n for n in known.generated}
        self._by_hand = {self._key(n): n for n in known.by_hand}
        self._rejected = {self._key(n): n for n in known.rejected}
        self._before = [dict(decided) for decided in self._decisions()]

    def decide(self, proposal: Suggestion, done: Applied) -> None:
        """Do as a proposal says, unless a hand has decided otherwise before."""
        key, name = self._key(proposal.name), proposal.name
        hand = proposal.keep != proposal.proposed
        if proposal.keep == OPEN:
            done.undecided += 1
            return
        home = self._home(key)
        against = (
            key in self._rejected
            if proposal.keep == YES
            else home is not None and key not in self._generated
        )
        if against and not hand:
            done.kept_by_hand.append(name)
        elif proposal.keep == YES:
            if home is None or self._moved(home, proposal):
                self._add(proposal)
                done.added.append(name)
                (self._by_hand if hand else self._generated)[key] = name
            self._rejected.pop(key, None)
        else:
            if home is not None:
                self._remove(home, key, name)
                done.removed.append(name)
            for decided in (self._generated, self._by_hand):
                decided.pop(key, None)
            if hand:
                self._rejected[key] = name

    def _decisions(self) -> tuple[dict[str, str], ...]:
        return self._generated, self._by_hand, self._rejected

    def decided_more(self) -> bool:
        """Return whether the decisions that the file records have changed."""
        return self._before != list(self._decisions())

    def note(self, proposals: Sequence[Suggestion]) -> None:
        """Write where the names come from and who decided what."""
        table = tomlkit.table()
        table.add("counts", proposals[0].source if proposals else "")
        for key, decided in (
            ("generated", self._generated),
            ("by_hand", self._by_hand),
            ("rejected", self._rejected),
        ):
            table.add(key, _array(sorted(decided.values())))
        self._doc.pop("provenance", None)
        self._doc.add("provenance", table)

    def text(self) -> str:
        """Return the file as it is now."""
        return tomlkit.dumps(self._doc)

    def _key(self, name: str) -> str:
        return TagSet("", "", self._ignore_case, False, (), (), "").key(str(name))

    def _tags(self) -> Any:
        return self._doc["tag"]

    def _home(self, key: str) -> Any:
        """Return the entry that a name stands in, or None."""
        for entry in self._tags():
            names = [entry["name"], *entry.get("aliases", [])]
            if key in [self._key(name) for name in names]:
                return entry
        return None

    def _moved(self, home: Any, proposal: Suggestion) -> bool:
        """Take a name out of the tag it stands under if the proposal names another one."""
        key = self._key(proposal.name)
        here = self._key(home["name"])
        if here == self._key(proposal.tag) or here == key:
            return False
        self._remove(home, key, proposal.name)
        return True

    def _add(self, proposal: Suggestion) -> None:
        home = self._home(self._key(proposal.tag))
        if home is None:
            home = tomlkit.table()
            home.add("name", proposal.tag)
            home.add("family", proposal.family)
            home.add("scope", proposal.scope)
            self._tags().append(home)
            home = self._tags()[-1]
        if self._key(proposal.name) != self._key(home["name"]):
            self._set_aliases(home, [*home.get("aliases", []), proposal.name])

    def _remove(self, home: Any, key: str, name: str) -> None:
        if self._key(home["name"]) == key:
            raise UsageError(
                f"{self._path}: {name!r} is the name of a tag; take the whole [[tag]] out by hand"
            )
        self._set_aliases(home, [n for n in home.get("aliases", []) if self._key(n) != key])

    @staticmethod
    def _set_aliases(home: Any, names: list[str]) -> None:
        home["aliases"] = _array([str(name) for name in names])


def _array(names: list[str]) -> Array:
    array = tomlkit.array()
    array.extend(names)
    return array.multiline(len(names) > 4)
