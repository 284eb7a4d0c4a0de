"""Names for a tag set from template counts, and what a user decided on them put into its file.

Section 3.1 of the 2019 paper did this by hand, from frequency lists. A user still decides, but
gets a reason with each name: a redirect, a similar or a containing name. Comments and earlier
decisions in the file stay as they are.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Array

from wikibias import mediawiki
from wikibias.curation.counts_tables import read_about
from wikibias.errors import UsageError, counted, printable
from wikibias.kits import files, parquet
from wikibias.kits.checked import TomlFile, read_text
from wikibias.kits.tables import Columns, read_rows, write_rows
from wikibias.tags.tagset import Provenance, Tag, TagSet, parse_tagset
from wikibias.text.similarity import similarity


class KnownElsewhere:
    """Looks names up in tag sets other than the one to extend."""

    def __init__(self, sets: Sequence[TagSet]) -> None:
        self._sets = [(tagset, tagset.by_key()) for tagset in sets]

    def tag(self, name: str) -> Tag | None:
        """Return the tag that a name means in the first set that has it."""
        found = (by_key.get(tagset.key(name)) for tagset, by_key in self._sets)
        return next((tag for tag in found if tag is not None), None)

    def seed(self, name: str, seeds: Iterable[str]) -> tuple[str, str] | None:
        """Return the seed that means the same tag as a name in one of the sets, and the reason."""
        names = list(seeds)
        for tagset, by_key in self._sets:
            tag = by_key.get(tagset.key(name))
            for seed in names if tag else ():
                if by_key.get(tagset.key(seed)) == tag:
                    return seed, f"a name of {seed} in {tagset.name}"
        return None


YES, NO, OPEN = "yes", "no", "?"
# Shorter names, such as POV, are one letter away from too many other names.
_MIN_SIMILAR_LENGTH = 5
_MIN_SIMILARITY = 0.8
_WORD = re.compile(r"[^\W_]+")
# Words for a part of an article or a kind of remark, and endings; none of them names a topic.
_NOT_A_TOPIC = frozenset(
    """about alleged article assertion because body category check claim cleanup date disputed
    dispute ed er ers in ing inline intro language lead line list ly opinion para paragraph passage
    phrase phrasing remark s sect section section2 sentence source span statement tag talk term
    terms text title tone warning word words y""".split()
)
_SECTION = frozenset("section sect раздел розділ abschnitt sección sezione seção".split())
_INLINE = frozenset("inline line statement term word assertion claim phrase sentence".split())


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One name that may belong to a tag set. The fields are the columns of the TSV.

    The user edits `keep`; `proposed` holds its first value, so that `apply` knows what the user
    changed. `look_alike` says why the name may mean something else. `tagset` is the set and the
    language that the name is suggested for.
    """

    keep: str
    tag: str
    name: str
    family: str
    scope: str
    pages: int
    revisions: int
    first_year: int
    last_year: int
    reason: str
    look_alike: str
    proposed: str
    source: str
    tagset: str


def suggest(
    folder: Path, seeds: Sequence[str], tagset: TagSet, others: Sequence[TagSet] = ()
) -> tuple[list[Suggestion], list[str]]:
    """Return the counted names that may belong to the tags `seeds`, sorted by tag and reason.

    The second list holds the seeds that led to no name.

    Args:
        folder: the folder that `wikibias tags count` wrote.
        seeds: names of templates, canonical or not; they may be new to the set.
        tagset: the set to extend; it may have no tags yet.
        others: the other sets of the language, the tags of which are known to be tags.

    Raises:
        UsageError: the folder holds no counts.
    """
    about = read_about(folder)
    source = f"{about['wiki']}, {_dumps(about['parts'])}, until {about['until'][:10]}"
    keys = {seed: mediawiki.title_key(seed, ignore_case=False) for seed in seeds}
    suggester = _Suggester(folder, list(keys.values()), tagset, others)
    found = []
    for row in parquet.read_table(folder / "counts.parquet"):
        suggestion = suggester.suggestion(row, source)
        if suggestion is not None:
            found.append(suggestion)
    found.sort(key=lambda s: (s.tag, _rank(s), -s.revisions, s.name))
    with_result = {seed for suggestion in found for seed in suggester.seeds_behind(suggestion)}
    return found, [seed for seed, key in keys.items() if key not in with_result]


def look_alike(name: str, seed: str, known: frozenset[str] = frozenset()) -> str:
    """Return why a name that contains `seed` may mean something else, or "".

    Examples from the 2019 paper: `weasel, back-striped` is an animal, `weasel, ben` a singer.
    `known` are the words in the other names of the set.
    """
    if "," in name and "," not in seed:
        return "a name with a comma, as of a species or a person"
    seed_words = _words(seed)
    words = _words(name)
    if all(word in words for word in seed_words):
        others = [word for word in words if word not in seed_words]
    else:
        whole = "".join(seed_words)
        others = [rest for word in words for rest in _beside(whole, word)]
        if not any(whole in word for word in words) and whole in "".join(words):
            others = _beside(whole, "".join(words))
    strange = [w for w in others if w not in _NOT_A_TOPIC and w not in known and not w.isdigit()]
    return f"also says {strange[0]!r}" if strange else ""


def _beside(seed: str, word: str) -> list[str]:
    """Return what a word holds besides the seed; the word itself where it is not in there.

    A single letter joined to it names no topic: NPOV, weasels. A character of Chinese does.
    """
    if seed not in word:
        return [word]
    return [rest for rest in word.split(seed) if len(rest) > 1 or (rest and not rest.islower())]


class _Suggester:
    """Compares names with the seeds, their redirects, and earlier decisions."""

    def __init__(
        self, folder: Path, seeds: list[str], tagset: TagSet, others: Sequence[TagSet]
    ) -> None:
        self._tagset = tagset
        self._elsewhere = KnownElsewhere(others)
        self._in_set = tagset.by_key()
        self._rejected = {tagset.key(name) for name in tagset.provenance.rejected}
        names = [name for tag in tagset.tags for name in (tag.name, *tag.aliases)]
        self._known = frozenset(word for name in names for word in _words(name))
        self._seeds = {seed: seed for seed in seeds}
        self._periods: dict[str, tuple[str, str]] = {}
        # Twice, because the target of a seed becomes a seed too, with redirects of its own.
        for _ in range(2):
            for row in parquet.read_table(folder / "aliases.parquet"):
                self._add_redirect(row)

    def _add_redirect(self, row: dict[str, Any]) -> None:
        alias, target, resolved = row["alias"], row["target"], row["resolved"]
        if alias in self._seeds and row["until"] is None:
            self._seeds.setdefault(resolved, self._seeds[alias])
        if target in self._seeds or resolved in self._seeds:
            root = resolved if resolved in self._seeds else target
            until = f" until {row['until']:%Y}" if row["until"] else ""
            if not until or alias not in self._periods:
                self._periods[alias] = (root, f"redirect to {target}{until}")

    def suggestion(self, row: dict[str, Any], source: str) -> Suggestion | None:
        name, target = row["name"], row["target"]
        tag, reason, strange, keep = self._judge(name, target)
        if not reason:
            return None
        known = self._in_set.get(self._tagset.key(tag))
        kind = known or self._elsewhere.tag(tag)
        if self._tagset.key(name) in self._rejected:
            keep, reason = NO, f"{reason}; rejected before"
        return Suggestion(
            keep=keep,
            tag=known.name if known else tag,
            name=name,
            family=kind.family if kind else self._seeds.get(tag, tag).casefold(),
            scope=kind.scope if kind else _scope(tag),
            pages=row["pages"],
            revisions=row["revisions"],
            first_year=row["first_year"],
            last_year=row["last_year"],
            reason=reason,
            look_alike=strange,
            proposed=keep,
            source=source,
            tagset=f"{self._tagset.name}/{self._tagset.lang}",
        )

    def seeds_behind(self, suggestion: Suggestion) -> Iterator[str]:
        """Yield the seeds, as given by the user, that lead to a name."""
        name, similar = suggestion.name, self._similar(suggestion.name)
        root = self._periods[name][0] if name in self._periods else name
        same = {
            self._tagset.key(n)
            for n in (name, root, suggestion.tag, similar[0] if similar else name)
        }
        for seed, given in self._seeds.items():
            letters = _letters(seed)
            if self._tagset.key(seed) in same or (letters and letters in _letters(name)):
                yield given

    def _judge(self, name: str, target: str | None) -> tuple[str, str, str, str]:
        """Return tag, reason, look-alike and keep of a name; the reason is "" if there is none."""
        in_set = self._in_set.get(self._tagset.key(name)) or self._tagset.carried(name)
        # What a wrapper has in a parameter is a tag only where the set says so.
        similar = None if in_set is None and "|" in name else self._similar(name)
        if in_set is not None:
            related = (
                similar
                or name in self._periods
                or self._tagset.key(in_set.name) in {self._tagset.key(seed) for seed in self._seeds}
            )
            return in_set.name, "in the set" if related else "", "", YES
        if name in self._seeds:
            return name, "seed", "", YES
        if found := self._periods.get(name) or self._elsewhere.seed(name, self._seeds):
            return *found, "", YES
        if similar is None:
            return "", "", "", NO
        seed, reason, strange = similar
        if there := self._elsewhere.tag(name):
            return there.name, f"{reason}, known as {there.name}", "", OPEN
        leads_to_seed = target is not None and _letters(seed) in _letters(target)
        tag = target if target and leads_to_seed else self._tag_for(name, seed)
        return tag, reason, strange, NO if strange else OPEN

    def _similar(self, name: str) -> tuple[str, str, str] | None:
        """Return the seed that a name contains or resembles, the reason, and the look-alike."""
        letters = _letters(name)
        best: tuple[float, str] = (0.0, "")
        for seed in self._seeds:
            of_seed = _letters(seed)
            if of_seed and of_seed in letters:
                how = "the same letters" if of_seed == letters else f"contains {seed}"
                return seed, how, look_alike(name, seed, self._known)
            if len(of_seed) >= _MIN_SIMILAR_LENGTH:
                best = max(best, (similarity(letters, of_seed, _MIN_SIMILARITY), seed))
        return (best[1], f"spelled like {best[1]} ({best[0]:.0%})", "") if best[0] else None

    def _tag_for(self, name: str, seed: str) -> str:
        """Return the tag to put a name under: of those that contain the seed, the most similar."""
        letters = _letters(seed)
        tags = [seed, *(t.name for t in self._tagset.tags if letters in _letters(t.name))]
        scope = _scope(name)
        same_scope = [tag for tag in tags if _scope(tag) == scope] or tags
        return max(same_scope, key=lambda tag: (similarity(_letters(name), _letters(tag)), tag))


def _rank(suggestion: Suggestion) -> int:
    order = ("in the set", "seed", "redirect", "a name of", "the same", "spelled", "contains")
    place = next(n for n, word in enumerate(order) if suggestion.reason.startswith(word))
    return place + (10 if suggestion.look_alike else 0)


def _scope(name: str) -> str:
    words = set(_words(name))
    if words & _SECTION or _letters(name).endswith(("section", "sect")):
        return "section"
    return "inline" if words & _INLINE or name.endswith("?") else "article"


def _words(name: str) -> list[str]:
    return _WORD.findall(name.casefold())


def _letters(name: str) -> str:
    return "".join(_words(name))


def _dumps(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{parts[0]} and {counted(len(parts) - 1, 'more part')}"


COLUMNS = tuple(field.name for field in fields(Suggestion))
_NUMBERS = ("pages", "revisions", "first_year", "last_year")
_DIGITS = 18
_KEEP = {"yes": YES, "y": YES, "no": NO, "n": NO, "?": OPEN, "": OPEN}


def write_suggestions(path: Path, suggestions: Sequence[Suggestion]) -> None:
    """Write the suggestions as a TSV file with a header line.

    Raises:
        UsageError: the name of the file says another form.
        WikibiasError: it cannot be written.
    """
    rows = [
        {name: printable(str(getattr(suggestion, name))) for name in COLUMNS}
        for suggestion in suggestions
    ]
    write_rows(path, rows)


def check_no_decision_is_lost(path: Path, suggestions: Sequence[Suggestion]) -> None:
    """Check that overwriting a file with these suggestions loses no decision of the user.

    Raises:
        UsageError: the user decided differently, or on names that are not suggested now.
    """
    if not path.is_file():
        return
    new = {(p.tag, p.name): p.keep for p in suggestions}
    by_hand = [old for old in read_suggestions(path) if old.keep != old.proposed]
    if any(new.get((old.tag, old.name)) != old.keep for old in by_hand):
        raise UsageError(
            f"{path}: overwriting it would lose your decisions; rename it, or remove it"
        )


def read_suggestions(path: Path) -> list[Suggestion]:
    """Read an edited TSV file; its columns may be in any order.

    Raises:
        UsageError: a column is missing or unknown, `keep` is not yes, no or ?, or a number is
            malformed. The message gives file, line and column.
        WikibiasError: a line has too few columns.
    """
    columns = Columns(needed=COLUMNS, **{name: name for name in COLUMNS})
    rows = read_rows(path, columns, quoted=True)
    return [_suggestion(f"{path}:{number}", row) for number, row in rows]


def _suggestion(place: str, row: Mapping[str, str]) -> Suggestion:
    cells: dict[str, Any] = {name: cell.strip() for name, cell in row.items()}
    keep = _KEEP.get(cells["keep"].lower())
    if keep is None:
        raise UsageError(f"{place}: keep must be yes, no or ?, not {cells['keep']!r}")
    for name in _NUMBERS:
        if not cells[name].isdecimal() or len(cells[name]) > _DIGITS:
            raise UsageError(f"{place}: {name} must be a number, not {cells[name]!r}")
        cells[name] = int(cells[name])
    return Suggestion(**{**cells, "keep": keep})


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
    path: Path, name: str, lang: str, proposals: Sequence[Suggestion], *, model: Path | None = None
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
    files.write_text(path, text)
    return done


# What [provenance] of a file records of names, by its keys.
_DECISIONS = ("generated", "by_hand", "rejected")


class _File:
    """A tag-set file being changed."""

    def __init__(self, text: str, path: Path, name: str, *, new: bool) -> None:
        self._set = before = None if new else parse_tagset(TomlFile(text, path), name)
        self._doc = tomlkit.parse(text)
        self._path = path
        if new:
            self._doc["tag"] = tomlkit.aot()
        self._tags: Any = self._doc["tag"]
        self._ignore_case = before is not None and before.ignore_case
        known = before.provenance if before else Provenance()
        self._decided = {
            kind: {self._key(n): n for n in getattr(known, kind)} for kind in _DECISIONS
        }
        self._before = deepcopy(self._decided)

    def decide(self, proposal: Suggestion, done: Applied) -> None:
        """Do as a proposal says, unless a hand has decided otherwise before."""
        key, name = self._key(proposal.name), proposal.name
        hand = proposal.keep != proposal.proposed
        if self._set and self._set.carried(name):
            if proposal.keep == NO:
                raise UsageError(f"{name!r} is a parameter of a wrapper; take it out by hand")
            return
        if proposal.keep == OPEN:
            done.undecided += 1
            return
        home = self._home(key)
        against = (
            key in self._decided["rejected"]
            if proposal.keep == YES
            else home is not None and key not in self._decided["generated"]
        )
        if against and not hand:
            done.kept_by_hand.append(name)
        elif proposal.keep == YES:
            if home is None or self._moved(home, proposal):
                self._add(proposal)
                done.added.append(name)
                self._decided["by_hand" if hand else "generated"][key] = name
            self._decided["rejected"].pop(key, None)
        else:
            if home is not None:
                self._remove(home, key, name)
                done.removed.append(name)
            for kind in ("generated", "by_hand"):
                self._decided[kind].pop(key, None)
            if hand:
                self._decided["rejected"][key] = name

    def decided_more(self) -> bool:
        """Return whether the decisions that the file records have changed."""
        return self._before != self._decided

    def note(self, proposals: Sequence[Suggestion]) -> None:
        """Write where the names come from and who decided what."""
        table = tomlkit.table()
        table.add("counts", proposals[0].source if proposals else "")
        for kind, names in self._decided.items():
            table.add(kind, _array(sorted(names.values())))
        self._doc.pop("provenance", None)
        self._doc.add("provenance", table)

    def text(self) -> str:
        """Return the file as it is now."""
        return tomlkit.dumps(self._doc)

    def _key(self, name: str) -> str:
        return TagSet("", "", self._ignore_case, False, (), (), "").key(str(name))

    def _home(self, key: str) -> Any:
        """Return the entry that a name stands in, or None."""
        for entry in self._tags:
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
            self._tags.append(home)
            home = self._tags[-1]
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
