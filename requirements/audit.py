"""`./pins audit`: what pip-audit found out about the pins, and how many of them it could find out nothing about."""

from __future__ import annotations

import json
import sys
from typing import Any


def report(found: dict[str, Any]) -> tuple[int, list[str]]:
    """The exit code and what to print: 0 if nothing is known against any of them, 1 for a vulnerability, 2 for gaps."""
    pins = found["dependencies"]
    unknown = [pin["name"] for pin in pins if "skip_reason" in pin]
    lines = [
        f"{pin['name']} {pin['version']}: {one['id']}, mended in {', '.join(one['fix_versions']) or 'no version yet'}"
        for pin in pins
        for one in pin.get("vulns", ())
    ]
    known = len(pins) - len(unknown)
    if not known:
        lines.append(
            f"Nothing was audited: the data on vulnerabilities cannot be reached from here ({len(pins)} pins)."
        )
        return 2, lines
    vulnerable = bool(lines)
    lines.append(f"{known} of {len(pins)} pins audited, {len(lines) or 'no'} known vulnerabilities.")
    if unknown:
        lines.append(f"Nothing could be found out about {', '.join(unknown)}.")
    return (1 if vulnerable else 2 if unknown else 0), lines


if __name__ == "__main__":
    code, told = report(json.load(sys.stdin))
    print("\n".join(told))
    sys.exit(code)
