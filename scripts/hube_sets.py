"""Makes balanced training files of the statements of Hube and Fetahu (2019).

FOLDER holds `statements_biased*.txt` and `statements_neutral_*.txt`, a sentence a line. For each
kind of neutral sentences OUT gets `KIND.tsv`, with as many neutral sentences, drawn with a seed, as
biased ones: .venv/bin/python scripts/hube_sets.py FOLDER OUT
"""

import random
import sys
from pathlib import Path

SEED = 0
KINDS = ("featured", "cw-hard", "type_balanced")


def sentences(folder: Path, name: str) -> list[str]:
    """Return the sentences of the one file of a name, single-spaced."""
    (path,) = folder.glob(f"*statements_{name}*.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]


def main() -> None:
    """Write a file for each kind."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    biased = sentences(folder, "biased")
    for kind in KINDS:
        neutral = sentences(folder, f"neutral_{kind}")
        drawn = random.Random(SEED).sample(neutral, min(len(biased), len(neutral)))
        rows = [f"biased\t{text}" for text in biased] + [f"neutral\t{text}" for text in drawn]
        (out / f"{kind}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        print(f"{kind}: {len(biased)} biased, {len(drawn)} of {len(neutral)} neutral")


if __name__ == "__main__":
    main()
