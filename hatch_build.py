"""The build hook: copies htmx from the wheel `django-htmx` into a folder that git ignores, so that we ship no copy."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WHEEL = "django-htmx"
INSIDE = "django_htmx/static/django_htmx/htmx-2.min.js"
PLACE = "src/battletape/web/static/vendor/htmx.min.js"
CHECKSUM = "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de"
"""Of htmx itself: what reaches players' browsers is the file that we looked at, wherever the wheel came from."""


class HtmxHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel is built, and before an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put htmx in its place, and into the wheel although git ignores it."""
        place = Path(self.root) / PLACE
        try:
            script = Path(str(distribution(WHEEL).locate_file(INSIDE))).read_bytes()
        except PackageNotFoundError:
            if not place.exists():
                raise RuntimeError(
                    f"the build wants htmx from the wheel {WHEEL}; install what [build-system] requires"
                ) from None
            script = place.read_bytes()  # a copy from an earlier build will do
        if (came := sha256(script).hexdigest()) != CHECKSUM:
            raise RuntimeError(
                f"htmx, from the wheel {WHEEL} or an earlier build, has the checksum {came}, not {CHECKSUM}"
            )
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_bytes() != script:
            place.write_bytes(script)
        build_data["artifacts"].append(f"/{PLACE}")
