"""A WordNet of a dozen senses in Princeton's format; all in it is our own words."""

from pathlib import Path

_HEAD = "  1 A tiny WordNet 9.1 Copyright of nobody; it is for tests.\n"
# A sense -> its words, what it is a kind of, and what it is an instance of. The commoner senses of
# a word come first. A pet dog has two ways up of different lengths, as real senses have.
SENSES: dict[str, tuple[list[str], list[str], list[str]]] = {
    "thing": (["thing"], [], []),
    "being": (["being"], ["thing"], []),
    "tool": (["tool"], ["thing"], []),
    "animal": (["animal", "beast"], ["being"], []),
    "person": (["person"], ["being"], []),
    "mammal": (["mammal"], ["animal"], []),
    "companion": (["companion"], ["being"], []),
    "canine": (["canine"], ["mammal"], []),
    "dog": (["dog", "hound"], ["canine", "companion"], []),
    "cat": (["cat"], ["mammal", "companion"], []),
    "ratchet": (["dog"], ["tool"], []),
    "woman": (["woman"], ["person"], []),
    "guide_dog": (["guide_dog"], ["dog", "tool"], []),
    "rex": (["Rex"], [], ["dog"]),
}
EXCEPTIONS = "women woman\n"


def write(folder: Path, senses: dict[str, tuple[list[str], list[str], list[str]]]) -> Path:
    """Write the files of the nouns, and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    offsets = _offsets(senses)
    data = _HEAD + "".join(_line(name, senses, offsets) for name in senses)
    (folder / "data.noun").write_text(data, encoding="utf-8", newline="\n")
    of_word: dict[str, list[int]] = {}
    for name, (words, _, _) in senses.items():
        for word in words:
            of_word.setdefault(word.lower(), []).append(offsets[name])
    index = [
        f"{word} n {len(places)} 1 @ {len(places)} 0 {' '.join(f'{at:08}' for at in places)}  \n"
        for word, places in sorted(of_word.items())
    ]
    (folder / "index.noun").write_text(_HEAD + "".join(index), encoding="utf-8", newline="\n")
    (folder / "noun.exc").write_text(EXCEPTIONS, encoding="utf-8", newline="\n")
    return folder


def _offsets(senses: dict[str, tuple[list[str], list[str], list[str]]]) -> dict[str, int]:
    """Return where each line begins; all offsets are of the same length."""
    places, at = {}, len(_HEAD)
    for name in senses:
        places[name] = at
        at += len(_line(name, senses, dict.fromkeys(senses, 0)))
    return places


def _line(
    name: str, senses: dict[str, tuple[list[str], list[str], list[str]]], at: dict[str, int]
) -> str:
    words, kinds, instances = senses[name]
    pointers = [("@", each) for each in kinds] + [("@i", each) for each in instances]
    return (
        f"{at[name]:08} 03 n {len(words):02x} {' '.join(f'{word} 0' for word in words)} "
        f"{len(pointers):03} {''.join(f'{sign} {at[to]:08} n 0000 ' for sign, to in pointers)}"
        f"| what we call {name}  \n"
    )
