"""Writes the `transitions` of a result folder from pages of short texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from histories import MATCHER, ORIGIN, revisions
from wikibias.config.choices import Per, SpanPolicy
from wikibias.config.thresholds import Reverts
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.records import Page, ReadRevision, TagContext, Transition
from wikibias.transitions.detection import transitions

_CONTEXT = TagContext(scope=(), section=(), pointed_at=(), edited_text=None, only_tags=None)


@dataclass(frozen=True)
class Told:
    """The texts of a page, and when it got each of them, in hours after `histories.START`."""

    id: int
    title: str
    texts: Sequence[str | None]
    hours: Sequence[float] | None = None
    namespace: int = 0
    first_parent: int | None = None

    def page(self) -> Page:
        """Return the page, whose revisions have numbers of their own."""
        made = revisions(self.texts, self.hours)
        numbered = [
            replace(r, id=self.id * 1000 + r.id) for r in made if isinstance(r, ReadRevision)
        ]
        numbered[0] = replace(numbered[0], parent_id=self.first_parent)
        return Page(self.id, self.title, self.namespace, iter(numbered))


def transitions_of(
    pages: Iterable[Told], *, per: Per = "tag", spans: SpanPolicy | None = None
) -> list[Transition]:
    """Return what `detect` finds in the pages."""
    found = (told.page() for told in pages)
    return list(transitions(found, ORIGIN, MATCHER, per=per, reverts=Reverts(), spans=spans))


def write_transitions(
    folder: Path,
    part: str,
    found: Iterable[Transition],
    *,
    newest: datetime | None = None,
    page_ids: tuple[int, int] | None = None,
) -> Path:
    """Write transitions as those of a part into a result folder, and return the folder."""
    target = folder / "transitions" / f"{part}.parquet"
    target.parent.mkdir(parents=True, exist_ok=True)
    meta: dict[str, object] = {"newest": newest.isoformat()} if newest else {}
    if page_ids:
        meta |= {"wiki": ORIGIN.site.wiki, "first_page": page_ids[0], "last_page": page_ids[1]}
    with writing(target, TRANSITIONS_TABLE, lambda: meta) as table:
        for made in found:
            text = made.before_text, made.after_text
            table.write(Transition(made.provenance, _CONTEXT, *text, history=made.history))
    return folder
