"""Compiles what reads bz2 files fast; where that cannot be done, Python's bz2 reads them."""

import hashlib
import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "src/wikibias/dumps/compression/bzip2_blocks.c"
FLAGS = ["-O3", "-shared", "-fPIC", "-fvisibility=hidden"]


class CompileBlocks(BuildHookInterface[Any]):
    """Adds the library to a wheel, which is then one of this platform, for every Python."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless WIKIBIAS_PURE is set."""
        source = Path(self.root, SOURCE)
        library = source.with_suffix(".lib")
        library.unlink(missing_ok=True)
        if os.environ.get("WIKIBIAS_PURE"):
            return
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        command = [*shlex.split(os.environ.get("CC", "cc")), *FLAGS, f'-DSOURCE="{digest}"']
        try:
            subprocess.run([*command, "-o", str(library), str(source)], check=True)
        except (OSError, subprocess.CalledProcessError):
            self.app.display_warning("no C compiler: bz2 files are read by Python's bz2")
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["artifacts"].append(str(Path(SOURCE).with_suffix(".lib")))
