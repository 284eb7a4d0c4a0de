"""The sections of a corpus's page that show edits: some that were kept, and some that were not."""

from __future__ import annotations

from collections.abc import Mapping

from wikibias.edits.filters import FILTERS, OTHER_FILTERS, filter_named, filter_title
from wikibias.messages import counted
from wikibias.reports import edit_samples
from wikibias.reports.corpus_statistics import SAMPLE_OF_REASON, Edits
from wikibias.reports.reading import Place
from wikibias.reports.sections import Section, missing


def kept_edits(found: Edits | None) -> Section:
    """A sample of the kept edits, as diffs."""
    title = "A sample of kept edits"
    if found is None:
        return missing("kept", title, "No table of kept edits is here")
    if not found.sample:
        return Section("kept", title, ["No edit was kept."])
    shown = edit_samples.kept(found.sample)
    says = [
        f"{len(shown):,} of {sum(found.bins):,} that were kept, drawn by chance. What changed in a "
        "sentence is struck through on one side and underlined on the other. `wikibias inspect` "
        "with the number of a revision tells the whole story of its edit.",
    ]
    return Section("kept", title, says, edits=shown)


def rejected_edits(found: Mapping[str, tuple[int, list[Place]]] | None) -> Section:
    """A sample of the edits that filters dropped, by reason."""
    title = "A sample of rejected edits, by reason"
    if found is None:
        return missing("rejected", title, "No table of rejected edits is here")
    if not found:
        return Section("rejected", title, ["No edit was rejected."])
    order = [name for name in (*FILTERS.names(), *OTHER_FILTERS) if name in found]
    order += sorted(name for name in found if name not in order)
    groups = []
    for reason in order:
        number, places = found[reason]
        about = f"{counted(number, 'edit')}. {explanation(reason)}".rstrip()
        groups.append((filter_title(reason), about, edit_samples.rejected(places)))
    says = [f"Up to {SAMPLE_OF_REASON} of each reason, drawn by chance."]
    return Section("rejected", title, says, groups=groups)


def explanation(reason: str) -> str:
    """Return what a filter drops, as the first line of its function's docstring says."""
    found = filter_named(reason)
    said = (found.reason.__doc__ or "").strip() if found else ""
    drops = said.splitlines()[0].removeprefix("Drop ") if said.startswith("Drop ") else ""
    return f"The filter drops {drops}" if drops else ""
