"""What a tape was told: the lines that a player reads, and the numbers of the shares of a packet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from battletape.rulesets.diceless40k.rules.casualties import GroupLoss, PacketPart, share_lines
from battletape.tape.path import Path


class Share(NamedTuple):
    """The share of one group of a packet, as the log tells it."""

    packet: str
    group: str
    parts: Sequence[PacketPart]
    loss: GroupLoss
    outright: int = 0

    @property
    def dmg(self) -> int:
        """Return the DMG of all parts."""
        return sum(part.dmg for part in self.parts)

    @property
    def after_save(self) -> int:
        """Return the HP that the saves let through."""
        return sum(part.after_save for part in self.parts)

    @property
    def hp(self) -> int:
        """Return the HP that come through."""
        return sum(part.hp for part in self.parts)


def shares(tape: Path, *groups: str) -> list[Share]:
    """Return the shares of packets that were told, of these groups or of all."""
    told = (Share(*said.args) for said in tape.story if said.sentence is share_lines)
    return [share for share in told if not groups or share.group in groups]


def texts(tape: Path) -> list[str]:
    """Return every line that was told."""
    return [line.text for said in tape.story for line in said.lines()]
