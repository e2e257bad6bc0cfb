"""`python -m battletape.conformance --ruleset my_game`: pytest on this package; further options are pytest's."""

from __future__ import annotations

import sys


def main(args: list[str]) -> int:
    """Run the tests; 0 if all pass."""
    try:
        import pytest
    except ModuleNotFoundError:
        print("The conformance tests need pytest: pip install pytest", file=sys.stderr)
        return 2
    return int(pytest.main(["-p", "battletape.conformance.plugin", "--pyargs", "battletape.conformance", *args]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
