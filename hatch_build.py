"""Compiles what reads bz2 files fast, and puts a bill of materials into the wheel.

Where nothing can be compiled, Python's bz2 reads such files.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "src/wikibias/dumps/compression/bzip2_blocks.c"
FLAGS = ["-O3", "-shared", "-fPIC", "-fvisibility=hidden"]
BILL = "wikibias.cdx.json"


class CompileBlocks(BuildHookInterface[Any]):
    """Adds the library to a wheel, which is then one of this platform, for every Python."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless WIKIBIAS_PURE is set; write the bill, which an editable wheel lacks."""
        library = self._compiled(build_data)
        if version == "editable":
            return
        self._scratch = tempfile.TemporaryDirectory()
        path = Path(self._scratch.name, BILL)
        path.write_text(json.dumps(self._bill(library), indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(path))

    def _compiled(self, build_data: dict[str, Any]) -> Path | None:
        source = Path(self.root, SOURCE)
        library = source.with_suffix(".lib")
        library.unlink(missing_ok=True)
        if os.environ.get("WIKIBIAS_PURE"):
            return None
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        # Of macOS's two processors a compiler takes the one it runs on, unless both are named.
        both = ["-arch", "arm64", "-arch", "x86_64"] if platform.endswith("universal2") else []
        compiler = shlex.split(os.environ.get("CC", "cc"))
        command = [*compiler, *FLAGS, *both, f'-DSOURCE="{digest}"']
        try:
            subprocess.run([*command, "-o", str(library), str(source)], check=True)
        except (OSError, subprocess.CalledProcessError):
            self.app.display_warning("no C compiler: bz2 files are read by Python's bz2")
            return None
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["artifacts"].append(str(Path(SOURCE).with_suffix(".lib")))
        return library

    def _bill(self, library: Path | None) -> dict[str, Any]:
        """Return a CycloneDX document: what is in the wheel, and what is installed with it.

        It has no date and no serial number, so that the same commit gives the same bytes.
        """
        core = self.metadata.core
        optional = {each for extra in core.optional_dependencies.values() for each in extra}
        components = [
            *(_component(each, "required") for each in sorted(core.dependencies)),
            *(_component(each, "optional") for each in sorted(optional - {*core.dependencies})),
        ]
        if library:
            digest = hashlib.sha256(library.read_bytes()).hexdigest()
            compiled = {"type": "file", "name": library.name, "bom-ref": library.name}
            components.append(compiled | {"hashes": [{"alg": "SHA-256", "content": digest}]})
        own = f"pkg:pypi/{core.name}@{self.metadata.version}"
        main = {
            "type": "application",
            "bom-ref": own,
            "name": core.name,
            "version": self.metadata.version,
            "description": core.description,
            "licenses": [{"license": {"id": core.license_expression}}],
            "purl": own,
        }
        needed = [each["bom-ref"] for each in components if each.get("scope") != "optional"]
        return {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {"component": main},
            "components": components,
            "dependencies": [{"ref": own, "dependsOn": needed}],
        }


def _component(requirement: str, scope: str) -> dict[str, Any]:
    """Return a library as a component; which version is installed, the index decides."""
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    canonical = re.sub(r"[-_.]+", "-", name[0]).lower()
    return {
        "type": "library",
        "bom-ref": f"{canonical} ({requirement})",
        "name": canonical,
        "purl": f"pkg:pypi/{canonical}",
        "scope": scope,
        "properties": [{"name": "wikibias:requirement", "value": requirement}],
    }
