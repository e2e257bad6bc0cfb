"""A shot, stage by stage."""

from __future__ import annotations

from battletape.rulebook import D3, D6, Line, Procedure, State, Tape, at_least, at_most, clause, replace


class Shot(State):
    """What the stages of a shot still need to know."""

    wounds: int
    dice: int = 0
    hit_on: int = 7
    save_on: int = 7
    nerve: int = 4
    again: str = "always"
    nerve_at: int = 99  # the most wounds left at which nerve is tested
    hits: int = 0
    lost: int = 0
    pinned: bool = False
    keywords: tuple[str, ...] = ()


@clause("TOY-3")
def take_aim(tape: Tape, shot: Shot) -> Shot:
    """Shoot all dice, or give one up to hit easier."""
    can_aim = shot.dice > 1 and shot.hit_on > 2
    way = tape.choose(("snap", "aim") if can_aim else ("snap",), by="attacker", label="snap or aim")
    return replace(shot, dice=shot.dice - 1, hit_on=shot.hit_on - 1) if way == "aim" else shot


@clause("TOY-4")
def roll_to_hit(tape: Tape, shot: Shot) -> Shot:
    """Each die that reaches the number hits."""
    hits = tape.pool(shot.dice, D6, at_least(shot.hit_on), label="to hit")[True]
    return replace(shot, dice=0, hit_on=7, hits=hits)


@clause("TOY-5")
def stand_or_duck(tape: Tape, shot: Shot) -> Shot:
    """Under fire the defender may duck: saved easier, but pinned."""
    if shot.hits and tape.choose(("stand", "duck"), by="defender", label="stand or duck") == "duck":
        tape.tell(PINNED)
        return replace(shot, save_on=max(2, shot.save_on - 1), pinned=True)
    return shot


def take_hits(tape: Tape, shot: Shot) -> Shot:
    """Hit by hit: save, or lose wounds."""
    after = tape.each(take_hit, replace(shot, hits=0), ("hit",) * shot.hits)
    tape.tell(wounds_lost, shot, after, clause="TOY-7")
    return replace(after, save_on=7)


@clause("TOY-6")
def take_hit(tape: Tape, shot: Shot, hit: str) -> Shot:
    """One hit: nobody rolls for the fallen, nor where no save is possible."""
    if not shot.wounds or (shot.save_on <= 6 and tape.roll(D6, at_least(shot.save_on), label="save", by="defender")):
        return shot
    lost = tape.call(roll_wounds, shot.wounds, shot.again)
    return replace(shot, wounds=shot.wounds - lost, lost=shot.lost + lost)


@clause("TOY-7")
def roll_wounds(tape: Tape, left: int, again: str) -> int:
    """D3 wounds, a 3 rolled again and added; what the target cannot feel any more is not rolled."""
    if left <= 1:
        return left
    pips: int = tape.roll(D3, label="wounds")
    if pips < 3 or left <= 3 or again == "never":
        return min(pips, left)
    more: int = tape.call(roll_wounds, left - 3, "never" if again == "once" else again)
    return 3 + more


@clause("TOY-8")
def keep_nerve(tape: Tape, shot: Shot) -> Shot:
    """The wounded must keep their nerve."""
    tested = shot.lost and 0 < shot.wounds <= shot.nerve_at and not shot.pinned
    if tested and not tape.roll(D6, at_most(shot.nerve), label="nerve", by="defender"):
        tape.tell(PINNED, clause="TOY-5")
        shot = replace(shot, pinned=True)
    return replace(shot, nerve=4, nerve_at=99, again="always", pinned=shot.pinned and shot.wounds > 0)


SHOOTING = Procedure("shooting", (take_aim, roll_to_hit, stand_or_duck, take_hits, keep_nerve))


def one_hit(tape: Tape, shot: Shot) -> Shot:
    """A single hit on its own."""
    after: Shot = tape.call(take_hit, shot, "hit")
    tape.tell(wounds_lost, shot, after, clause="TOY-7")
    return replace(after, save_on=7)


ONE_HIT = Procedure("one hit", (one_hit,))


# --- what is told -----------------------------------------------------------------------------------------------------


PINNED = Line("The target is pinned.", result="pinned")


def wounds_lost(before: Shot, after: Shot) -> Line | None:
    """Say how many wounds were lost, and how many are left."""
    lost = after.lost - before.lost
    return Line(f"Wounds lost: {lost}, left: {after.wounds}.", result=f"{after.wounds} left") if lost else None
