"""Croissant metadata (version 1.0, https://docs.mlcommons.org/croissant): JSON-LD of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikibias import __version__
from wikibias.corpus.description import Description
from wikibias.corpus.features import CLASSES, columns
from wikibias.kits.schemas import Column, ColumnType
from wikibias.messages import printable

# What the specification gives as the context of version 1.0.
_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES: Mapping[ColumnType, str] = {
    "string": "sc:Text",
    "strings": "sc:Text",
    "int32": "sc:Integer",
    "int64": "sc:Integer",
    "double": "sc:Float",
    "doubles": "sc:Float",
    "bool": "sc:Boolean",
    "bools": "sc:Boolean",
    "ints": "sc:Integer",
    "time": "sc:DateTime",
}
_LISTS: tuple[ColumnType, ...] = ("strings", "bools", "doubles", "ints")
_URLS: Mapping[str, str] = {
    "cc-by-sa-3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "cc-by-sa-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "gfdl": "https://www.gnu.org/licenses/fdl-1.3.html",
}
_PAPER = (
    "Aleksandrova, Lareau and Ménard (2019): Multilingual sentence-level bias detection in "
    "Wikipedia. RANLP 2019. https://doi.org/10.26615/978-954-452-056-4_006"
)


def croissant(
    described: Description,
    files: Mapping[str, Mapping[str, str]],
    digests: Mapping[str, str],
    sizes: Mapping[str, int],
    *,
    with_editors: bool,
    numbered: bool,
) -> dict[str, Any]:
    """Return the metadata of an export in Parquet; addresses of files begin at their own file.

    Args:
        described: the corpus in words.
        files: by configuration and split, the file.
        digests: the SHA-256 of each file.
        sizes: in bytes.
        with_editors: whether the rows name editors.
        numbered: whether classes are numbers.
    """
    paths = [path for of in files.values() for path in of.values()]
    licences = [_URLS[each] for each in described.licence.ids if each in _URLS]
    first, last = (day.isoformat() for day in described.period) if described.period else ("", "")
    coverage = {"temporalCoverage": f"{first}/{last}"} if described.period else {}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": printable(described.title),
        "description": printable(" ".join((described.summary, *described.limits))),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": _PAPER,
        # The word of schema.org for text that is not under a licence of a known address.
        "license": licences or [printable(described.licence.sentences[0])],
        **({"inLanguage": described.language} if described.language else {}),
        **coverage,
        "version": "1.0.0",
        "keywords": ["Wikipedia", *described.topics],
        "creator": {"@type": "sc:Organization", "name": f"wikibias {__version__}"},
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": path,
                "contentUrl": path,
                "contentSize": f"{sizes[path]} B",
                "encodingFormat": "application/x-parquet",
                "sha256": digests[path],
            }
            for path in paths
        ],
        "recordSet": [
            _record_set(
                f"{config}/{split}", path, columns(config, with_editors=with_editors), numbered
            )
            for config, of in files.items()
            for split, path in of.items()
        ],
    }


def _record_set(name: str, path: str, fields: list[Column], numbered: bool) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [_field(name, path, column, numbered) for column in fields],
    }


def _field(name: str, path: str, column: Column, numbered: bool) -> dict[str, Any]:
    names = CLASSES.get(column.name, ()) if numbered else ()
    values = ", ".join(f"{number} {each}" for number, each in enumerate(names))
    found = {
        "@type": "cr:Field",
        "@id": f"{name}/{column.name}",
        "name": f"{name}/{column.name}",
        **({"description": values} if names else {}),
        "dataType": "sc:Integer" if names else _TYPES[column.type],
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }
    return {**found, "repeated": True} if column.type in _LISTS else found
