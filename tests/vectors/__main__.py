"""`python -m tests.vectors RULESET FILE`: prints each failure and, last, `N passed, N failed`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from tests.vectors import HERE, failures, read_vectors


def main(args: list[str]) -> int:
    """Run a file of vectors; 0 if all hold, 1 if not, 2 if they cannot be read."""
    if not 1 <= len(args) <= 2:
        print("python -m tests.vectors RULESET [FILE] needs a ruleset and a file of vectors", file=sys.stderr)
        return 2
    path = Path(args[1]) if len(args) == 2 else HERE / f"{args[0]}.vectors.json"
    try:
        vectors = read_vectors(path)
    except (OSError, ValueError) as error:
        print(f"{path}: these vectors cannot be read: {error}", file=sys.stderr)
        return 2
    if find_spec(f"tests.vectors.{args[0]}") is None:
        print(f"there are no vectors for a ruleset {args[0]!r}", file=sys.stderr)
        return 2
    failed = 0
    for name, why in failures(args[0], vectors):
        failed += 1
        print(f"FAILED {name}: {why}")
    print(f"{len(vectors) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
