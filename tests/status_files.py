"""Status files of dumps, as Wikimedia's server has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_JOBS = {"7z": "metahistory7zdump", "bz2": "metahistorybz2dump"}


def status_file(
    wiki: str = "bgwiki",
    date: str = "20260101",
    sizes: Mapping[str, Sequence[int]] | None = None,
    *,
    stubs: int | None = None,
    state: str = "done",
) -> str:
    """Return the text of a status file with the sizes of the parts in each form."""
    jobs: dict[str, Any] = {"namespaces": {"status": "done", "updated": "2026-01-01 05:00:00"}}
    listed = sizes if sizes is not None else {"7z": [700_000_000], "bz2": [4_000_000_000]}
    for form, each in listed.items():
        names = [
            f"{wiki}-{date}-pages-meta-history{n}.xml-p{n}p{n}.{form}"
            for n in range(1, 1 + len(each))
        ]
        jobs[_JOBS[form]] = _job(state, dict(zip(names, each, strict=True)))
    if stubs is not None:
        names = [f"{wiki}-{date}-stub-{kind}.xml.gz" for kind in ("meta-history", "articles")]
        jobs["xmlstubsdump"] = _job("done", dict(zip(names, (stubs, 5), strict=True)))
    return json.dumps({"version": "0.8", "jobs": jobs})


def _job(state: str, sizes: Mapping[str, int]) -> dict[str, Any]:
    files = {
        name: {"size": size, "url": f"/x/{name}", "md5": "0" * 32, "sha1": "0" * 40}
        for name, size in sizes.items()
    }
    return {"status": state, "updated": "2026-01-09 10:11:12", "files": files}
