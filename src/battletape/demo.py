"""`python -m battletape.demo`: a short tour that needs no answers: odds, a roll with its log, a battle with undo."""

from __future__ import annotations

try:
    import os
    import shlex
    import tempfile
    from typing import TYPE_CHECKING, NamedTuple
except KeyboardInterrupt:  # before quietly() can look after it
    raise SystemExit(130) from None

if TYPE_CHECKING:
    from battletape.cli.terminal import Page


class Scene(NamedTuple):
    """A heading, a sentence, and the commands that show it."""

    title: str
    words: str
    commands: tuple[str, ...]


ATTACK = "--attacks 12 --power 6 --defence 4 --armour 5+ --models 5 --hp 2"
SHOT = 'unit="Storm wardens" weapon="Storm carbine" target="Hill raiders" distance=18'
SCENES = (
    Scene(
        "What will happen?",
        "Twelve dice of Power 6 at five raiders. The odds are exact, and every step names its rule.",
        (f"odds attack_dice attack {ATTACK}",),
    ),
    Scene(
        "What if we had stronger weapons?",
        "The same attack with three weapons side by side.",
        (f"compare attack_dice attack {ATTACK} --vary power=4,6,8",),
    ),
    Scene(
        "Roll it.",
        "The same rules, rolled once; and then the dice of a real table typed in.",
        (
            f"roll attack_dice attack {ATTACK} --seed 7",
            f'roll attack_dice attack {ATTACK} --answers "9 hits; 4 saves"',
        ),
    ),
    Scene(
        "Why?",
        "Every id leads to the rule, in our words.",
        ("rules attack_dice AD-75",),
    ),
    Scene(
        "Fight a battle.",
        "It lives in a text file that you can read. Nothing is lost: what was taken back stays in the log.",
        (
            'battle new attack_dice --title "The ford at dusk"',
            "battle do start",
            f"battle do attack {SHOT} --seed 7",
            "battle undo",
            f"battle do attack {SHOT} --seed 8",
            "battle log",
        ),
    ),
)
OUTRO = (
    "That was all of it. Each line above works as ./run … or, once installed, as battletape … or bt … "
    "Go on with: battletape rulesets"
)


def main() -> None:
    """Play every scene in a temporary folder."""
    from battletape.cli.terminal import page

    home = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="battletape-") as folder:
        os.chdir(folder)
        try:
            for scene in SCENES:
                play(scene, page())
        finally:
            os.chdir(home)
    last = page()
    last.gap()
    last.line(("─" * min(last.width - 1, 72), "rule"))
    last.text(OUTRO)
    last.show()


def play(scene: Scene, shown: Page) -> None:
    """Show a heading, and each command with its output."""
    shown.line(("─" * min(shown.width - 1, 72), "rule"))
    shown.line((scene.title, "strong"))
    shown.text(scene.words)
    shown.line()
    shown.show()
    for command in scene.commands:
        shown.text(f"$ battletape {command}", "least", hang=6)
        shown.line()
        shown.show()
        run(command)
        shown.line()
        shown.show()


def run(command: str) -> None:
    """Run one command as if it were typed; a failure ends the tour."""
    from battletape.cli.app import app

    try:
        app.main(args=shlex.split(command), prog_name="battletape")
    except SystemExit as end:
        if end.code:
            raise


if __name__ == "__main__":
    from battletape.cli import quietly

    quietly(main)
