"""`wikibias pairs`: sentences and what edits for neutrality made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.config.choices import RevertPolicy
from wikibias.errors import UsageError, counted, quoted
from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, OUT_FOLDER, is_quiet, takes, warn
from wikibias.kits.terminal import echo, show

if TYPE_CHECKING:
    from wikibias.corpus.sentence_pairs import harvest as harvests
    from wikibias.pipeline.settings import Detect


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsOptions:
    """The options of `wikibias pairs`.

    Attributes:
        rules: wnc: those of the Wiki Neutrality Corpus; own: any script, several sentences, tiers.
        out: Folder to write.
        seed: Seed of the splits.
        reverts: With own and a result folder: what to do with edits that were undone.
        source: Column of the biased sentences, by name or number.
        target: Column of the neutral ones, likewise.
        group: Column of the pages or revisions, which keeps pairs together.
        lang: Language of a file, for words that give neutral another meaning.
        overwrite: Replace files of the same names, whoever wrote or changed them.
    """

    path: Annotated[Path, click.Path(exists=True, path_type=Path), Setting(ARGUMENT)]
    rules: Annotated[Literal["wnc", "own"], Setting("--rules")] = "own"
    out: Annotated[Path, OUT_FOLDER, Setting("-o --out")]
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    reverts: Annotated[RevertPolicy | None, Setting("--reverts", "as the folder was made")] = None
    source: Annotated[str | None, Setting("--source", "by known names", "COLUMN")] = None
    target: Annotated[str | None, Setting("--target", metavar="COLUMN")] = None
    group: Annotated[str | None, Setting("--group", metavar="COLUMN")] = None
    lang: Annotated[str | None, Setting("--lang")] = None
    overwrite: Annotated[bool, Setting("--overwrite")] = False

    @property
    def columns(self) -> dict[str, str | None]:
        """The columns of a file, by what they hold."""
        return {"source": self.source, "target": self.target, "group": self.group}


@click.command(name="pairs")
@takes(PairsOptions)
def command(options: PairsOptions) -> Path:
    """Make sentence pairs: what was not neutral, and what the editor made of it.

    PATH is a folder that `wikibias detect --signal summary` or `extract` made, or a file of
    sentence pairs (TSV, CSV, JSON Lines, Parquet), which only the filters of pairs then judge. The
    rules wnc take edits found by their summary, own also those that removed a tag. OUT gets
    `pairs.parquet`, `pairs.tsv` and `funnel.json`; an earlier result that nobody has changed is
    replaced.

    \b
    Examples:
      wikibias pairs corpora/en --rules wnc --out pairs/en
      wikibias pairs published.tsv --source src --target tgt --rules wnc --out pairs/judged
    """
    from wikibias.config.languages import load_language
    from wikibias.config.thresholds import load_config
    from wikibias.corpus.sentence_pairs import harvest as harvests
    from wikibias.corpus.sentence_pairs.rules import own_pairs, wnc_pairs

    path, out, rules, seed = options.path, options.out, options.rules, options.seed
    _check(options)
    funnel, doubts = harvests.Funnel(), list[str]()
    facts = {"format": "sentence pairs", "rules": rules, "seed": seed}
    if path.is_file():
        language = load_language(options.lang) if options.lang is not None else None
        shares = load_config().build
        pairs = harvests.judged_file(
            path, rules, funnel, **options.columns, language=language, warn=warn
        )
    else:
        harvest, doubts = _harvest(options, funnel)
        if harvest.summary_rule is not None:
            facts["summary_rule"] = harvest.summary_rule
        find = wnc_pairs if rules == "wnc" else own_pairs
        shares, pairs = harvest.shares, find(harvest, funnel)
    with interruptible():
        harvests.write_pairs(
            out, pairs, funnel, shares=shares, seed=seed, facts=facts, overwrite=options.overwrite
        )
    if not is_quiet():
        show(*harvests.funnel_tables(funnel.as_dict()))
    for doubt in doubts:
        warn(doubt)
    if not funnel.counts["biased"]:
        warn("no biased sentence pair was found; the tables show where edits and pairs ended")
    dealt: dict[str, int] = funnel.more["splits"]
    empty = [name for name, number in dealt.items() if not number]
    if empty and any(dealt.values()):
        echo(f"Note: {' and '.join(empty)} empty: too few pages to split by page.")
    echo(f"Result: {out}")
    if funnel.counts["biased"]:
        echo(f"Next: wikibias report {quoted(str(out))}")
    return out


def _check(options: PairsOptions) -> None:
    """Refuse what pairs are not made from, and options that do not go with the rest.

    Raises:
        UsageError: the path holds pairs that we wrote, or a dump; the folder to write is in what is
            read; or an option is about something else.
    """
    from wikibias.corpus.export.folder import recorded
    from wikibias.dumps.parts import is_dump_name

    path, out = options.path, options.out
    folder = path if path.is_dir() else path.parent
    ours = recorded(folder)
    if ours is not None and (path.is_dir() or path.name in ours["files"]):
        raise UsageError(
            f"{path} holds sentence pairs that wikibias wrote and has filtered already; give "
            "`pairs` the folder that `detect` made, or read them with `wikibias report`, `export` "
            "or `spans train`"
        )
    if path.is_file() and is_dump_name(path.name):
        raise UsageError(
            f"{path} is a dump; run `wikibias detect --signal summary` on it, and give `pairs` "
            "the folder that this makes"
        )
    if options.reverts is not None and (path.is_file() or options.rules != "own"):
        raise UsageError("--reverts is for --rules own and a folder that detect made; leave it out")
    written, read = out.resolve(), folder.resolve()
    is_table = path.is_dir() and written.parent == read and recorded(out) is None
    if written == read or (is_table and out.exists()):
        raise UsageError(f"{out} holds what is read; give --out a folder of its own")
    for name, value in {**options.columns, "lang": options.lang}.items():
        if value is not None and path.is_dir():
            raise UsageError(f"--{name} is about a file of sentence pairs; {path} is a folder")


def _harvest(options: PairsOptions, funnel: harvests.Funnel) -> tuple[harvests.Harvest, list[str]]:
    """Return what a result folder holds to make pairs from, and what is to be warned of.

    The funnel gets the number of edits that a newer dump holds as well, and whose rows are there.

    Raises:
        UsageError: it holds no result, or no transitions.
    """
    from wikibias.corpus.sentence_pairs import harvest as harvests
    from wikibias.pipeline import jobs, manifest, stages
    from wikibias.pipeline.filter import judged_edits
    from wikibias.pipeline.settings import language_of

    folder = options.path
    recorded = manifest.load_recorded(folder)
    settings = manifest.settings_of(folder, recorded)
    if not {"tag", "summary"} & set(settings.detect.signal):
        raise UsageError(
            f"{folder} has no edit of a tag or summary to make sentence pairs of; run `wikibias "
            "detect --signal summary` on the dump, into a folder of its own"
        )
    parts = tuple(part.name for part in manifest.parts_of(recorded))
    detect = stages.named("detect")
    told = (jobs.recorded(folder, detect, name) for name in parts)
    found = [facts for facts in told if facts is not None]
    if not found:
        raise UsageError(f"{folder} holds no transitions; run `wikibias detect --signal summary`")
    summaries: Counter[str] = Counter()
    # A run that looks for none has counted none.
    looked = "summary" in settings.detect.signal
    if looked:
        for facts in found:
            summaries.update(facts["summaries"])
        if repeated := sum(f.get("superseded", {}).get("summary_edits", 0) for f in found):
            funnel.more["superseded"] = repeated
    harvest = harvests.Harvest(
        folder,
        parts,
        language_of(settings),
        settings.build.tiers,
        settings.build.shares,
        options.seed,
        summaries,
        partial(judged_edits, folder, settings, parts, options.reverts),
        settings.detect.summary_rule if looked else None,
    )
    return harvest, list(_doubts(recorded["inputs"], settings.detect, options.rules))


def _doubts(
    inputs: list[dict[str, Any]], detect: Detect, rules: harvests.RulesName
) -> Iterator[str]:
    """Yield what makes the pairs of a result folder others than its reader may think.

    Args:
        inputs: those of its manifest.
        detect: how its edits were found.
        rules: those that the pairs were made by.
    """
    failed = [entry for entry in inputs if entry["error"] or "detect" not in entry["stages"]]
    if failed:
        first = failed[0]
        yield (
            f"{len(failed):,} of {counted(len(inputs), 'part')} failed or not read yet, so "
            f"sentence pairs are missing: {first['part']} {first['error'] or '(not read yet)'}; "
            "run `wikibias detect` again, then this command"
        )
    if "summary" in detect.signal and detect.summary_rule != rules:
        yield (
            f"`detect --summary-rule {detect.summary_rule}` found these edits, and --rules {rules} "
            f"belongs with --summary-rule {rules}"
        )
    if "summary" in detect.signal and detect.summary_rule == "wnc" and detect.lang != "en":
        yield (
            "--summary-rule wnc knows English summaries alone, and the wiki's language is "
            f"{detect.lang}"
        )
