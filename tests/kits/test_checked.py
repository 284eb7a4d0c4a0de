"""TOML files of users, and the lines that their keys stand in."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

import pytest
import tomlkit
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exports import wikibias
from wikibias.config import languages
from wikibias.config.languages import Language, MediaWiki, load_language, load_mediawiki
from wikibias.config.thresholds import Config, load_config
from wikibias.errors import UsageError
from wikibias.kits import checked
from wikibias.pipeline.settings import Settings
from wikibias.tags.tagset import TagSetFile, read_tagset

TEXT = """# of my own
lang = "xx"
[provenance]
"by hand" = [
  "POV",
  "Weasel",
]
a.b = 1

[[tag]]
name = "POV"
[[tag]]
name = "Weasel"
[tag.more]
deep = 1
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("lang",), 2),
        (("provenance",), 3),
        (("provenance", "by hand"), 4),
        (("provenance", "a", "b"), 8),
        (("tag", 0, "name"), 11),
        (("tag", 1, "name"), 13),
        (("tag", 1, "more", "deep"), 15),
        (("tag", 1, "scope"), 12),
        (("nothing",), 1),
    ],
)
def test_the_line_of_a_key_or_of_the_nearest_above(place: checked.Place, line: int) -> None:
    assert checked.TomlFile(TEXT, Path("x.toml")).at(place) == f"x.toml:{line}"


def test_the_line_of_a_text_below_a_key() -> None:
    file = checked.TomlFile(TEXT, Path("x.toml"))
    assert file.at(("provenance", "by hand"), "Weasel") == "x.toml:6"
    assert file.at(("provenance", "by hand"), "Peacock") == "x.toml:4"
    assert file.has(("tag", 0, "name"))
    assert not file.has(("tag", 0, "scope"))


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert checked.TomlFile.read(tmp_path / "x.toml").table == {"a": 1}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.toml", None, "none.toml: no such file"),
        ("x.toml", b"\xff", "not valid UTF-8"),
        ("x.toml", b"a = ", "not valid TOML: "),
        (".", None, "cannot be read"),
    ],
)
def test_what_cannot_be_read(name: str, content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=said):
        checked.TomlFile.read(tmp_path / name)


@dataclass(frozen=True)
class Bridge:
    """Two settings and a field that is none.

    Attributes:
        spans: How many spans.
        names: Its names.
    """

    spans: Annotated[checked.Count, checked.Setting("--spans")]
    built: int
    names: Annotated[tuple[str, ...], checked.Setting()] = ()
    next: Mapping[Literal["up", "down"], str] | None = None


def test_only_marked_fields_are_settings() -> None:
    spans, names = checked.declared(Bridge)
    assert (spans.name, spans.setting.option, spans.default) == ("spans", "--spans", MISSING)
    assert (names.name, names.default) == ("names", ())


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (bool, "true or false"),
        (checked.Count, "a whole number from 0 to 1,000,000,000"),
        (Annotated[int, checked.Meta(ge=1)] | None, "a whole number of 1 or more"),
        (Annotated[float, checked.Meta(ge=0, le=1)], "a number from 0 to 1"),
        (checked.NonEmpty, "a text that is not empty"),
        (tuple[checked.NonEmpty, ...], "a list of texts that are not empty"),
        (Literal["page", "tag"], '"page" or "tag"'),
        (Mapping[str, tuple[str, ...]], "a table of lists of texts"),
        (Bridge, "a table"),
    ],
)
def test_what_a_type_allows(hint: Any, words: str) -> None:
    assert checked.allowed(hint) == words


def test_what_stands_inside_a_type() -> None:
    assert checked.inside(Bridge, "built") is int
    assert checked.inside(Bridge, "width") is None
    assert checked.inside(tuple[str, ...], 3) is str
    assert checked.inside(Mapping[str, int], "any") is int
    assert checked.keys_of(Bridge) == ("spans", "built", "names", "next")
    assert checked.keys_of(checked.inside(Bridge, "next")) == ("up", "down")
    assert checked.keys_of(Mapping[str, int]) == ()


Spot = tuple[str | int, ...]
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@dataclass(frozen=True)
class File:
    """A kind of file: what it holds, where all is well, and what reads it."""

    kind: type[Any]
    good: dict[str, Any]
    read: Callable[[Path], Any]


def _language(path: Path) -> Language:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parents[1])
        return load_language("xx")


def _mediawiki(path: Path) -> MediaWiki:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "folder", lambda kind: path.parent)
        return load_mediawiki()


FILES = {
    "mine.toml": File(Config, asdict(Config()), load_config),
    "xx.toml": File(
        Language,
        {"name": "X", "spacy": "xx", "namespaces": {"file": ["F"]}, "text_templates": {"a": "1"}},
        _language,
    ),
    "mediawiki.toml": File(
        MediaWiki, {"redirect_words": ["#redirect"], "interlanguage": ["en"]}, _mediawiki
    ),
    "tags.toml": File(
        TagSetFile,
        {
            "tag": [{"name": "POV", "family": "pov"}, {"name": "Weasel", "family": "weasel"}],
            "wrapper": [{"name": "Issues", "parameters": {"pov": "POV"}}],
            "provenance": {},
        },
        lambda path: read_tagset(path, "npov"),
    ),
}


def places(kind: Any, at: Spot = ()) -> Iterator[Spot]:
    """Yield the places of all keys that a model knows; of lists of tables, those of the first."""
    for field in fields(kind):
        bare, _ = checked.unannotated(get_type_hints(kind, include_extras=True)[field.name])
        yield (*at, field.name)
        if is_dataclass(bare):
            yield from places(bare, (*at, field.name))
        elif get_args(bare) and is_dataclass(checked.unannotated(get_args(bare)[0])[0]):
            yield from places(checked.unannotated(get_args(bare)[0])[0], (*at, field.name, 0))


def _with(table: Any, place: Spot, value: Any) -> Any:
    """Return a table with another value at a place."""
    if not place:
        return value
    if isinstance(place[0], int):
        return [_with(table[0], place[1:], value), *table[1:]]
    return {**table, place[0]: _with(table.get(place[0], {}), place[1:], value)}


def _one_line(path: Path, place: Spot, message: str) -> None:
    assert len(message.splitlines()) == 1
    assert re.match(rf"{re.escape(str(path))}:\d+: ", message) or "not valid TOML" in message
    assert any(str(key) in message for key in place), message


@pytest.fixture(scope="module")
def folder_of_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own") / "configs"
    made.mkdir()
    return made


@pytest.mark.parametrize("name", FILES)
def test_these_values_are_taken_or_named_at_every_place(name: str, folder_of_files: Path) -> None:
    for place in places(FILES[name].kind):
        for value in (True, -3, float("nan"), 10**400, "no", date(2020, 1, 1), [1, 2], {"a": [1]}):
            _take_or_name(name, place, value, folder_of_files)


def _take_or_name(name: str, place: Spot, value: Any, folder: Path) -> None:
    file, path = FILES[name], folder / name
    shown = Path("configs/xx.toml") if file.kind is Language else path
    path.write_text(tomlkit.dumps(_with(file.good, place, value)), encoding="utf-8")
    try:
        file.read(path)
    except UsageError as error:
        _one_line(shown, place, str(error))


@pytest.mark.parametrize("name", FILES)
@example(key="[key]")
@given(key=TEXTS.filter(bool))
@settings(max_examples=25)
def test_an_unknown_key_is_named(name: str, key: str, folder_of_files: Path) -> None:
    file, path = FILES[name], folder_of_files / name
    if key in {field.name for field in fields(file.kind)}:
        return
    path.write_text(tomlkit.dumps({**file.good, key: 1}), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        file.read(path)
    assert ": unknown key " in str(caught.value)
    assert " Known: " in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


OPTIONS = [
    each.setting.option
    for kind in (
        *(get_type_hints(Settings)[stage] for stage in ("detect", "diff", "filter", "build")),
        Settings,
    )
    for each in checked.declared(kind)
]


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("value", ["-1", "nan", "99999999999999999999", "\n"])
def test_a_wrong_option_ends_with_one_error(option: str, value: str, tmp_path: Path) -> None:
    dump = Path(__file__).parents[1] / "fixtures" / "dumps" / "empty-wiki.xml"
    words = ["extract", "-q", "--workers", "1", "-o", tmp_path / "o"]
    words += ["--lang", "fr"] if option != "--lang" else []
    ended = wikibias(*words, f"{option}={value}", dump)
    assert ended.code in (0, 2)
    assert "Traceback" not in ended.err
    assert "a fault of wikibias" not in ended.err
    if ended.code == 2:
        assert ended.err.count("Error: ") == 1


def test_a_value_is_taken_strictly_and_becomes_what_is_declared() -> None:
    """A whole number stands for a share; no truth, no text and no fraction for a number."""
    table = {"build": {"train": 1, "dev": 0, "test": 0}}
    assert repr(checked.conform(Config, table).build) == "Build(train=1.0, dev=0.0, test=0.0)"
    for wrong in (True, "15", 15.0, None):
        with pytest.raises(checked.MisfitError, match=r"radius must be a whole number"):
            checked.conform(Config, {"reverts": {"radius": wrong}})


def test_all_that_is_wrong_is_noted_in_order() -> None:
    table = {"zz": 1, "text": {"max_tokens": -1, "min_tokens": "a"}, "filter": []}
    with pytest.raises(checked.MisfitError) as caught:
        checked.conform(Config, table)
    assert [fault.place for fault in caught.value.faults] == [
        ("text", "min_tokens"),
        ("text", "max_tokens"),
        ("filter",),
        ("zz",),
    ]


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(checked.MisfitError, match="name must be a text"):
        checked.conform(Language, {"code": "xx", "name": "\ud800", "spacy": "xx"})
