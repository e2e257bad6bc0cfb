"""Psykers: psychic tests on their own order points, warp tokens that cancel them, perils of the warp."""

from __future__ import annotations

from battletape.cards import Measure
from battletape.rulebook import Procedure, Refused, State, Tape, capital, clause, replace
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, resolve
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.leadership import TEST_POINTS, TestResult, leadership_line, take_test
from battletape.rulesets.diceless40k.rules.space_marines import hood_points
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

PERILS_DMG = 50
PERILS = Packet("perils of the warp", PERILS_DMG, strength=0, assault=True, ignores_armour=True)


class PsychicTest(State, frozen=True):
    """A psyker about to use a power: both sides, the test, and how it goes.

    `victim` is the psyker as a target of the perils, with the record of what they did.
    """

    psyker: str
    side: str
    opponent: str
    victim: Target
    ld: int
    op: int = 0
    unit_op: int = 0  # of the unit that the psyker leads, which the test leaves alone
    reroll: bool = False
    hood: bool = False  # an enemy librarian's, within reach
    warp_tokens: int = 0  # that the opponent holds
    token_used: bool = False  # by its player, in this player turn
    rulings: Rulings = DEFAULT
    played: bool = False  # a token was played on this test
    pushed: bool = False  # and the psyker went on in spite of it
    test_result: TestResult | None = None  # nothing, where no test was taken

    @property
    def cancelled(self) -> bool:
        """True if the token stopped the power."""
        return self.played and not self.pushed

    @property
    def works(self) -> bool:
        """True if the power may be used."""
        return self.test_result is not None and self.test_result.passed


def psychic_test(
    psyker: Group,
    side: str,
    opponent: str,
    op: int = 0,
    unit_op: int = 0,
    *,
    reroll: bool = False,
    hood: bool = False,
    warp_tokens: int = 0,
    token_used: bool = False,
    null_zone: bool = False,
    rulings: Rulings = DEFAULT,
) -> PsychicTest:
    """Return the test of a psyker before any choice is made."""
    victim = Target((psyker,), rulings, null_zone=null_zone, by=side)
    held = warp_tokens, token_used
    return PsychicTest(psyker.name, side, opponent, victim, psyker.ld, op, unit_op, reroll, hood, *held, rulings)


@clause("DL-50.5")
def refuse_warp_token(held: int, used_this_turn: bool) -> Refused | None:
    """Refuse a warp token on a psychic test if none is held, or one was played this turn."""
    if held < 1:
        return Refused("no warp token is held, so none can be played; the test is taken as usual", "DL-50.5", "token")
    if used_this_turn:
        reason = (
            "one warp token may be played in a player turn, and it has been; the next one may in the next player turn"
        )
        return Refused(reason, "DL-50.5", "token")
    return None


@clause("DL-50.5")
def offer_warp_token(tape: Tape, test: PsychicTest) -> PsychicTest:
    """Let the opponent play a warp token to cancel the test, once in a player turn; a test that fails needs none."""
    if refuse_warp_token(test.warp_tokens, test.token_used):
        return test
    ways = ("play", "keep") if would_pass(test) else ("keep", "play")
    if tape.choose(ways, by=test.opponent, label=f"warp token on {test.psyker}") == "keep":
        return test
    return play_token(tape, test)


@clause("DL-50.5")
def play_token(tape: Tape, test: PsychicTest) -> PsychicTest:
    """Play a warp token on the test."""
    tape.tell("A warp token is played on {}", test.psyker)
    return replace(test, played=True, token_used=True, warp_tokens=test.warp_tokens - 1)


@clause("DL-50.6")
def push_on(tape: Tape, test: PsychicTest) -> PsychicTest:
    """Let the psyker's player accept the cancellation, or suffer the perils and hand the token back."""
    if not test.played:
        return test
    if tape.choose(("accept", "push on"), by=test.side, label=f"{test.psyker} and the warp token") == "accept":
        tape.tell("{} accepts it: no test, no power", capital(test.psyker))
        return test
    tape.tell("{} pushes on, and the token goes back", capital(test.psyker))
    return replace(test, pushed=True, warp_tokens=test.warp_tokens + 1)


@clause("DL-50.6")
def suffer_perils(tape: Tape, test: PsychicTest) -> PsychicTest:
    """Deal 50 DMG to a psyker that pushes on; only an invulnerable save helps."""
    return replace(test, victim=resolve(tape, test.victim, PERILS)) if test.pushed else test


@clause("DL-50.1", "DL-SM-56.1")
def psychic_points(hood: bool = False) -> int:
    """Order points that a psychic test adds to the psyker's own track; more where a psychic hood is near."""
    return hood_points() if hood else TEST_POINTS


@clause("DL-50.1")
def would_pass(test: PsychicTest) -> bool:
    """Return whether the test passes, if no warp token cancels it."""
    return take_test(test.op, test.ld, test.reroll, added=psychic_points(test.hood)).passed


@clause("DL-50.1", "DL-50.2", "DL-50.5")
def take_psychic_test(tape: Tape, test: PsychicTest) -> PsychicTest:
    """Raise and compare only the psyker's own order points; a failure takes them back to 0."""
    points = psychic_points(test.hood)
    if test.cancelled or not test.victim.models:
        tape.tell("No test is taken", clause="DL-50.5")
        adds = test.cancelled and test.rulings.cancelled_test == "op"
        return replace(test, op=test.op + points) if adds else test
    test_result = take_test(test.op, test.ld, test.reroll, added=points)
    tape.tell(
        leadership_line,
        test_result,
        f"{capital(test.psyker)}, psychic test",
        "DL-50.1",
        " with a hood near" if test.hood else "",
    )
    if not test_result.passed:
        tape.tell("The power fails, and the psyker's order points go back to 0", clause="DL-50.2")
    return replace(test, test_result=test_result, op=test_result.op if test_result.passed else 0)


PSYCHIC_TEST = Procedure("psychic test", (offer_warp_token, push_on, suffer_perils, take_psychic_test))


@clause("DL-50.1")
def powers_in_a_row(op: int, ld: int, reroll: bool = False, hood: bool = False) -> int:
    """Return how many psychic tests in a row are passed before the first that fails."""
    powers = 0
    while (test_result := take_test(op, ld, reroll, added=psychic_points(hood))).passed:
        powers, op = powers + 1, test_result.op
    return powers


MEASURES = (
    Measure("works", "The power works", lambda test: int(test.works)),
    Measure("op", "Order points of the psyker afterwards", lambda test: test.op, "OP", low_for=("attacker",)),
    Measure(
        "hp_lost",
        "HP that the psyker loses to the warp",
        lambda test: test.victim.hp_removed,
        "HP",
        low_for=("attacker",),
    ),
    Measure(
        "warp_tokens",
        "Warp tokens that the opponent has left",
        lambda test: test.warp_tokens,
        "tokens",
        low_for=("attacker",),
    ),
)
