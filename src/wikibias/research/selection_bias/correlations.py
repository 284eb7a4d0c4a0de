"""What figures go up or down with (Ousidhoum et al., 2020, Table 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.kits.evaluation import spearman
from wikibias.research.selection_bias.baseline import HELD
from wikibias.research.selection_bias.figures import value_of
from wikibias.research.selection_bias.metrics import Missing

FEWEST_CORPORA = 4
"""Fewer are not correlated with."""

_Rows = Sequence[Mapping[str, Any]]


def correlations(result: Mapping[str, Any], missing: Missing) -> Iterator[dict[str, Any]]:
    """Yield the correlations of the figures of a result.

    Within a corpus with the numbers of topics and words, over the whole grid, and with the number
    of documents, over samples of several sizes: these points are of the same documents, so that
    there is no p. Over corpora with what tells these apart, of the mean over the grid.

    Args:
        result: with its `corpora`, `keywords`, `figures` and `sizes`.
        missing: what a pair without a similarity counts for.
    """
    of: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for each in result["figures"]:
        if each["group"] is None and each["missing"] == missing:
            of[each["corpus"], each["keywords"]].append(each)
    sizes: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for each in result["sizes"]:
        sizes[each["corpus"], each["keywords"]].append(each)
    for (corpus, name), grid in of.items():
        for figure in HELD:
            values = [value_of(each, figure) for each in grid]
            for what in ("topics", "words"):
                yield from _one(corpus, name, figure, what, values, [each[what] for each in grid])
            drawn = sizes[corpus, name]
            values = [each[figure]["value"] for each in drawn]
            numbers = [each["documents"] for each in drawn]
            yield from _one(corpus, name, figure, "documents", values, numbers)
    yield from _over_corpora(result, of)


def _over_corpora(
    result: Mapping[str, Any], of: Mapping[tuple[str, str], _Rows]
) -> Iterator[dict[str, Any]]:
    """Yield the correlations over corpora of each list that enough of them have."""
    lists = {(each["corpus"], each["name"]): each for each in result["keywords"]}
    for name in dict.fromkeys(name for _, name in of):
        corpora = [each for each in result["corpora"] if (each["name"], name) in of]
        if len(corpora) < FEWEST_CORPORA:
            continue
        own = [lists[each["name"], name] for each in corpora]
        told = {
            "documents": [each["documents"] for each in corpora],
            "vocabulary": [each["vocabulary"] for each in corpora],
            "words_per_document": [each["words_per_document"] for each in corpora],
            "keywords": [len(each["words"]) for each in own],
            "keyword_similarity": [each["mean_similarity"] for each in own],
        }
        for figure in HELD:
            means = [_mean(of[each["name"], name], figure) for each in corpora]
            for what, numbers in told.items():
                yield from _one(None, name, figure, what, means, numbers)


def _mean(grid: _Rows, figure: str) -> float | None:
    known = [value for each in grid if (value := value_of(each, figure)) is not None]
    return sum(known) / len(known) if known else None


def _one(
    corpus: str | None,
    keywords: str,
    figure: str,
    what: str,
    values: Sequence[float | None],
    numbers: Sequence[float | None],
) -> Iterator[dict[str, Any]]:
    """Yield a correlation, where there is one."""
    found = spearman(*(_numbers(each) for each in (values, numbers)))
    if found is None:
        return
    head = {"corpus": corpus, "keywords": keywords, "figure": figure, "with": what}
    yield {**head, **found, **({} if corpus is None else {"p": None})}


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else float(value) for value in values]
