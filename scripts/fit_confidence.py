"""Fits the weights of `configs/confidence.toml` on judged sentences, and scores them on others.

Usage: python scripts/fit_confidence.py SHARED FOLDER [--leave-out] [--write]

SHARED holds the texts that `docs/data/judgements_of_neutrality.tsv` names, FOLDER is what `wikibias
extract --signal tag --signal summary` made of the history of Anarchism. Scores are those of models
that have seen no sentence of the same article; of Anarchism, none of the same edit.
"""

import csv
import gzip
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from wikibias.api.texts import clean, split_sentences
from wikibias.config.confidence import ANY_WORDS, OTHER, load_confidence
from wikibias.config.thresholds import Tiers
from wikibias.corpus.evidence import ROLES, two_class_evidence
from wikibias.edits import confidence
from wikibias.kits.evaluation import calibration_error
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.records import Role

ROOT = Path(__file__).resolve().parents[1]
JUDGEMENTS = ROOT / "docs" / "data" / "judgements_of_neutrality.tsv"
MODEL = ROOT / "configs" / "confidence.toml"
_STRENGTH, _MOST, _FEWEST, _FOLDS = 0.1, 2500, 3, 10
# Of a sentence that an edit put in, half as much as of the one before.
_WEIGHT_OF_ADDED = 0.6
_CHOSEN, _LABELS = "chosen ", ("biased", "less_neutral")
_MANY = ("recasens", "wetbench-en", "wetbench-pt", "wnc-fr")
_WORDS = ("has ", "lost ", "gained ", "summary ")
_KINDS = "has |lost |gained |lost ~|summary|edit |has:|lost:|gained:|swap ".split("|")
_PAIRS = "early_pairs.train fr_word_pairs.train wnc_multi_test.even wnc_word_test.even".split()


@dataclass(frozen=True)
class Judged:
    """A judged sentence: its features, source and article, and the two labels."""

    features: dict[str, float]
    source: str
    group: str
    role: Role
    biased: bool
    less_neutral: bool

    def without(self, *kinds: str) -> "Judged":
        """Return it without features of families ("lost:"), or of single words ("lost ")."""
        left = {name: of for name, of in self.features.items() if not name.startswith(kinds)}
        return replace(self, features=left)


def form(before: str, after: str) -> str:
    """Return what names a change in the judgements."""
    return hashlib.sha256(f"{before.strip()}\t{after.strip()}".encode()).hexdigest()[:12]


def texts(shared: Path) -> Iterator[tuple[str, str, str, str, bool]]:
    """Yield before, after, summary and article of the changes of others; whether it was tagged."""
    for path in sorted((shared / "data" / "neutrality-edits").glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            tagged = bool(row["revision_has_npov_tag"])
            yield row["before"], row["after"], row["comment"], row["title"], tagged
    pairs = shared / "data" / "pairs"
    for name in _PAIRS:
        for line in (pairs / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
            before, after = line.split("\t")[name[0] != "e" :][:2]
            yield before, after, "", before, False
    for line in (pairs / "wnc_full_sample.train.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["neutral"]:
            yield row["text"], row["neutral"], "", row["text"], False
    with gzip.open(shared / "data" / "text" / "articles.jsonl.gz", "rt", encoding="utf-8") as file:
        articles = [*map(json.loads, file)]
    for article in articles:
        if article["lang"] == "en":
            for sentence in split_sentences(clean(article["wikitext"], "en"), "en"):
                yield sentence.text, sentence.text, "", article["title"], False


def judged(shared: Path, folder: Path, lang: str) -> Iterator[Judged]:
    """Yield the judged sentences that a model is fitted on, each side of a change for itself."""
    with JUDGEMENTS.open(encoding="utf-8", newline="") as lines:
        # What stands for articles that nobody has seen is not fitted on.
        rows = [
            row for row in csv.DictReader(lines, delimiter="\t") if "unseen" not in row["source"]
        ]
    known = {form(change[0], change[1]): change for change in texts(shared)}
    by_key = {row["key"]: row for row in rows}
    for row in rows:
        fitted = {"pt": (OTHER, "pt"), "vi": (OTHER, "vi"), "fr": ("fr",)}.get(row["source"][-2:])
        if row["form"] not in known or (fitted and lang not in fitted):
            continue
        before, after, summary, article, tagged = known[row["form"]]
        found, names = confidence.Evidence(summary=summary or None, lang=lang), ("tagged",) * tagged
        sides: tuple[tuple[Role, str, str | None], ...] = (
            ("removed", before, after), ("added", after, before)
        )  # fmt: skip
        if before == after:
            # An article that nobody has tagged stands for a featured one.
            sides = (("featured", before, None),)
        for role, text, other in sides if after.strip() else sides[:1]:
            told = dict(confidence.features(text, other, role, found, names))
            yield _judged(told, row, article, role)
    for path in sorted((folder / "diffs").glob("*.parquet")):
        for each in two_class_evidence(read_records(path, DIFFS_TABLE), Tiers()):
            if each.sentence_id in by_key and each.of_edit:
                names = confidence.holds(each.of_edit, ROLES[each.role], each.sentence, each.link)
                became = each.link.counterpart if each.link else None
                role, text = ROLES[each.role], each.sentence.text
                found = replace(each.of_edit, lang=lang)
                told = dict(confidence.features(text, became, role, found, names))
                edit = str(each.edit.provenance.after_rev_id)
                yield _judged(told, by_key[each.sentence_id], edit, role)


def _judged(told: dict[str, float], row: dict[str, str], article: str, role: Role) -> Judged:
    side = "after" if role == "added" else "before"
    if row["source"].startswith("wnc"):
        # Chosen by others to be biased, so it has an intercept of its own, which is not written.
        told |= {f"{_CHOSEN}{role}": 1.0}
    return Judged(
        told, row["source"], article, role, row[f"{side}_1"] == "1", row["less_neutral_1"] == side
    )


def fit(rows: Sequence[Judged], label: str) -> dict[str, float]:
    """Return the weights of a logistic regression over the features that tell most."""
    known = DictVectorizer()
    table = known.fit_transform([row.features for row in rows]).tocsc()
    names = np.array(known.feature_names_)
    often = np.diff(table.indptr) >= _FEWEST
    table, names = table[:, often], names[often]
    mean = np.asarray(table.mean(axis=0)).ravel()
    square = np.asarray(table.multiply(table).mean(axis=0)).ravel()
    # A count or a length is measured by how much it varies; a word is there or not.
    counts = np.array([":" in name or name in ("words there", "places") for name in names])
    scale = np.where(counts, np.maximum(np.sqrt(np.maximum(square - mean**2, 0)), 0.05), 1.0)
    table = table.multiply(1 / scale).tocsc()
    target = [getattr(row, label) for row in rows]
    weights = [_WEIGHT_OF_ADDED if row.role == "added" else 1.0 for row in rows]
    model = LogisticRegression(C=_STRENGTH, max_iter=5000).fit(table, target, weights)
    tells = np.abs(model.coef_[0]) * np.sqrt(square) / scale
    best = np.sort(np.argsort(-tells, kind="stable")[:_MOST])
    model.fit(table[:, best], target, weights)
    found = zip(names[best].tolist(), (model.coef_[0] / scale[best]).tolist(), strict=True)
    return {"always": float(model.intercept_[0]), **dict(found)}


def probability(weights: Mapping[str, float], row: Judged) -> float:
    """Return how probable a label is."""
    told = (weights.get(name, 0.0) * value for name, value in row.features.items())
    return float(1 / (1 + np.exp(-weights["always"] - sum(told))))


def held_out(rows: Sequence[Judged], label: str) -> NDArray[np.float64]:
    """Return the probability of each row by a model that has not seen its article."""
    found = np.zeros(len(rows))
    for train, test in GroupKFold(_FOLDS).split(rows, groups=[row.group for row in rows]):
        weights = fit([rows[at] for at in train], label)
        found[test] = [probability(weights, rows[at]) for at in test]
    return found


def scores(label: NDArray[np.bool_], found: NDArray[np.float64]) -> str:
    """Return AUC, expected calibration error, and how many of the surest are right."""
    error = calibration_error(label, found)
    third, sure = np.argsort(-found)[: len(found) // 3], found >= Tiers().high
    right = f"{label[sure].mean():.2f} of {sure.sum()}" if sure.any() else "none"
    return (
        f"{len(label):5} rows, {label.mean():.2f} | AUC {roc_auc_score(label, found):.3f} | "
        f"ECE {error:.3f} | first third {label[third].mean():.2f} | sure {right}"
    )


def report(rows: Sequence[Judged], label: str, found: NDArray[np.float64]) -> None:
    """Print the scores of changes of many articles by side, and the share of neutral sentences."""
    truth, role = np.array([(getattr(row, label), row.role) for row in rows], object).T
    many = np.array([row.source in _MANY for row in rows])
    for side in ("removed", "added"):
        which = many & (role == side)
        print(f"{label} {side:10} {scores(truth[which].astype(bool), found[which])}")
    for limit in (0.5, 0.1) if label == "biased" else ():
        neutral = truth[(role != "removed") & (found <= limit)]
        print(f"neutral, {1 - limit:.1f} and more: {neutral.mean():.3f} of {len(neutral)} biased")


def transferred(rows: Sequence[Judged], lang: str, label: str) -> NDArray[np.float64]:
    """Return the probability of each row by the words of its language and the weights of others."""
    weights = load_confidence(lang).weights.items()
    known = {name: getattr(weight, label) for name, weight in weights}
    return np.array([probability(known, row) for row in rows])


def main() -> None:
    """Print the scores, and write the weights where that is asked for."""
    shared, folder, options = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    for lang in ("en", ANY_WORDS, OTHER):
        rows = list(judged(shared, folder, "en" if lang == ANY_WORDS else lang))
        if lang == ANY_WORDS:
            rows = [row.without(*_WORDS) for row in rows]
        for label in _LABELS:
            report(rows, label, held_out(rows, label))
        if "--leave-out" in options and lang == "en":
            for kind in _KINDS:
                print(f"without {kind}")
                left = [row.without(kind) for row in rows]
                report(left, "biased", held_out(left, "biased"))
        if "--write" in options:
            _write(lang, *(fit(rows, label) for label in _LABELS))
    load_confidence.cache_clear()
    for lang, source in (("pt", "wetbench-pt"), ("fr", "wnc-fr")):
        rows = [row for row in judged(shared, folder, lang) if row.source == source]
        for label in _LABELS:
            report(rows, label, transferred(rows, lang, label))


def _write(lang: str, biased: Mapping[str, float], less_neutral: Mapping[str, float]) -> None:
    """Put the weights of a language in the place of those in the file."""
    lines = []
    for name in sorted(biased.keys() | less_neutral.keys()):
        both = biased.get(name, 0.0), less_neutral.get(name, 0.0)
        if max(map(abs, both)) >= 0.02 and not name.startswith(_CHOSEN):
            lines.append(f'"{name}" = [{both[0]:.3f}, {both[1]:.3f}]')
    before, head, after = MODEL.read_text(encoding="utf-8").partition(f"[weights.{lang}]\n")
    rest = after[after.find("\n[") :] if "\n[" in after else ""
    MODEL.write_text(before + head + "\n".join(lines) + "\n" + rest, encoding="utf-8")


if __name__ == "__main__":
    main()
