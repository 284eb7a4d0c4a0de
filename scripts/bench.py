"""Run every benchmark beside this file (`bench_*.py`); exit 1 where one misses its mark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run them one after the other, so that they do not disturb each other."""
    scripts = sorted(Path(__file__).parent.glob("bench_*.py"))
    codes = [
        subprocess.run([sys.executable, str(script)], check=False).returncode for script in scripts
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
