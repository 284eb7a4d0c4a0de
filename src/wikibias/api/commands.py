"""What commands do, from Python: keywords are their options, by the same names.

`min_confidence=0.5` is `--min-confidence 0.5`, a list is an option given again, True a flag; and
`config_dir` and `log_file` are those of every command. `wikibias extract --help-all` and the like
list them. Nothing is printed: what a command says goes to the log, its warnings are Python's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.api.transitions import DumpPath
from wikibias.kits.files import read_json

if TYPE_CHECKING:
    import pandas as pd

_Folder = str | os.PathLike[str]


def _call(command: str, *places: Any, **keywords: Any) -> Any:
    # By name, since neither of `api` and `cli` stands on the other.
    return import_module("wikibias.cli.calling").call(command, places, keywords)


def extract(
    dump: DumpPath | Iterable[DumpPath] = (),
    lang: str | None = None,
    out: _Folder | None = None,
    *,
    workers: int = 1,
    **options: Any,
) -> Path:
    """Build a corpus from dumps, as `wikibias extract` does, and return its folder.

    What cannot be worked out of a page or an edit is left out, and named in `manifest.json`. The
    same call again does only what is missing, and one with other dumps of the wiki, such as next
    month's, adds these to what the folder holds.

    Args:
        dump: a file, folder, pattern or URL, as `read_site` takes it, or several of them.
        lang: the code of the wiki's language, such as "fr"; without it, what the dump says.
        out: the result folder; without it, `corpora/<lang>`.
        workers: number of processes. A script that asks for more than one must do so under
            `if __name__ == "__main__":`.
        options: those of the command, such as `tagset="npov"`, `signal=["tag", "summary"]` or
            `restart=True`; `wikibias extract --help-all` lists them.

    Raises:
        UsageError: an unknown option, language or tag set, or the folder holds the result of other
            settings or inputs.
        DumpError: a part is damaged; what came before it is in the folder, as are all other parts.
        DiskError: the folder cannot be written to.

    Examples:
        >>> extract("samples/demoenwiki-20260101-pages-meta-history.xml.7z", "en").as_posix()
        'corpora/en'
    """
    dumps = [dump] if isinstance(dump, str | os.PathLike) else dump
    return Path(_call("extract", *dumps, lang=lang, out=out, workers=workers, **options))


@dataclass(frozen=True, slots=True)
class Trained:
    """What `classify` made.

    Attributes:
        folder: of the model, for `load_classifier`; of several, with a folder for each.
        scores: a row for each model, split and metric, and label where there are several, with
            `value` and its 95 % interval, `low` to `high`.
    """

    folder: Path
    scores: pd.DataFrame

    def _repr_html_(self) -> str:
        return str(self.scores.to_html())


def classify(corpus: _Folder | None = None, **options: Any) -> Trained:
    """Train a classifier of biased sentences and judge it, as `wikibias classify` does.

    Args:
        corpus: a result folder; without it, and without `train`, the newest in ./corpora.
        options: those of the command, such as `model="sgd"`, `model=["sgd", "lr"]`,
            `set={"alpha": 0.001}`, `cv="page"` or `train="a.tsv"`; `wikibias classify --help-all`
            lists them.

    Raises:
        UsageError: an unknown option or model, or the folder holds another model.
        WikibiasError: the model cannot learn from the data.

    Examples:
        >>> trained = classify("corpora/en", model="lr")
        >>> trained.folder.as_posix()
        'corpora/en/models/lr'
        >>> scores = trained.scores.set_index(["split", "metric"])
        >>> float(scores.loc[("test", "accuracy"), "value"]) > 0.5
        True
    """
    import pandas as pd  # noqa: PLC0415 (takes longer than all other imports of `wikibias`)

    folder: Path = _call("classify", corpus, **options)
    found = read_json(folder / "scores.json")
    models = found.get("models") or {found["model"]: found}
    rows = [
        {
            "model": model,
            "split": split,
            **dict(zip(("metric", "label"), where, strict=False)),
            **of,
        }
        for model, scores in models.items()
        for (split, *where), of in _figures(scores)
    ]
    columns = "model split metric label value low high".split()
    return Trained(folder, pd.DataFrame(rows, columns=columns if not rows else None))


def _figures(scores: Mapping[str, Any], *place: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Yield where each figure stands in a file of scores, as split, metric, label, and itself."""
    for name, inner in scores.items():
        if isinstance(inner, dict) and name != "constant":  # what calls everything biased
            if "value" in inner:
                yield [place[0], name, *place[1:][-1:]], inner
            else:
                yield from _figures(inner, *place, name)


def report(*folders: _Folder, **options: Any) -> Path:
    """Write a page that shows what corpora or sentence pairs hold, and return its path.

    Args:
        folders: what `extract` or `pairs` made; without any, the newest in ./corpora.
        options: those of `wikibias report`, such as `out="page.html"`.

    Raises:
        UsageError: an unknown option, no such result, or a page of others is there.

    Examples:
        >>> report("corpora/en").as_posix()
        'corpora/en/report.html'
    """
    return Path(_call("report", *folders, **options))


def export(
    folder: _Folder | None = None, repository: str | None = None, **options: Any
) -> Path | str:
    """Write a corpus in a form that other programs read, and return where it is.

    Args:
        folder: what `extract` or `pairs` made; without it, the newest in ./corpora.
        repository: of the Hugging Face hub, to upload it to; then its address is returned.
        options: those of `wikibias export`, such as `format="csv"` or `columns=["text", "label"]`.

    Raises:
        UsageError: an unknown option, no such result, or a folder of others is there.

    Examples:
        >>> export("corpora/en", format="jsonl").as_posix()
        'corpora/en/export/jsonl'
    """
    made: Path | str = _call("export", folder, repository, **options)
    return made


def pairs(path: _Folder, out: _Folder, **options: Any) -> Path:
    """Make sentence pairs, biased and what the editor made of it, and return their folder.

    Args:
        path: a result folder, or a file of sentence pairs.
        out: folder to write; `load_table(out, "pairs")` reads it.
        options: those of `wikibias pairs`, such as `rules="wnc"`.

    Raises:
        UsageError: an unknown option, or the folder holds no edits to make pairs from.

    Examples:
        >>> load_table(pairs("corpora/en", "pairs/en"), "pairs").num_rows
        6
    """
    return Path(_call("pairs", path, out=out, **options))
