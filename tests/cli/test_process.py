"""The command as a process: start-up, pipes, interrupts, completion, both names."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import battletape
from tests.cli.conftest import ATTACK

SOURCE = str(Path(battletape.__file__).parents[1])


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCE, "COLUMNS": "80", **more}


def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "battletape", *args]
    return subprocess.run(command, env=environment(**env), capture_output=True, text=True, encoding="utf-8", timeout=60)


def test_an_answer_and_its_exit_code():
    done = run("odds", *ATTACK, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["question"] == "attack"
    assert done.stderr == ""
    wrong = run("odds", "attack_dice", "attack", "--attacks", "0")
    assert wrong.returncode == 2
    assert wrong.stderr == "attacks must be a whole number from 1 to 1,000; got '0'.\n"


@pytest.mark.parametrize("how", [("--mend",), ("--mend", "--json"), ()])
def test_a_stray_byte_in_a_file_is_spelt_out(tmp_path, how):
    path = tmp_path / "own.bt"
    assert run("battle", "new", "attack_dice", "--file", str(path)).returncode == 0
    path.write_bytes(path.read_bytes() + b"1. end_t\xf0urn\n")
    done = run("battle", "check", *how, "--file", str(path), PYTHONIOENCODING="utf-8:strict")
    assert done.returncode == (0 if how else 2)
    assert "\\udcf0" in done.stdout + done.stderr
    if "--json" in how:
        assert json.loads(done.stdout)["mended"] == str(tmp_path / "own-mended.bt")


def test_a_terminal_without_unicode_gets_plain_characters():
    done = run("odds", *ATTACK, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "####" in done.stdout


def test_json_is_utf8_wherever_it_goes():
    done = run("rules", "attack_dice", "AD-75", "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert json.loads(done.stdout)["clause"]["id"] == "AD-75"


def test_a_closed_pipe_ends_quietly():
    command = [sys.executable, "-m", "battletape", "rules", "attack_dice", "--tables"]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


def test_what_was_done_is_said_where_it_cannot_be_shown(tmp_path):
    path = tmp_path / "own.bt"
    assert run("battle", "new", "attack_dice", "--file", str(path)).returncode == 0
    command = [sys.executable, "-m", "battletape", "battle"]

    def into(stdout: str, stderr: str, *args: str) -> subprocess.CompletedProcess[bytes]:
        with open(stdout, "wb") as out, open(stderr, "wb") as err:
            return subprocess.run(
                [*command, *args, "--file", str(path)], env=environment(), stdout=out, stderr=err, timeout=60
            )

    told = tmp_path / "told"
    assert into("/dev/full", str(told), "do", "start").returncode == 3
    full = "the output could not be written: the disk is full; make room, or choose another place."
    assert told.read_text() == f"{full} Move 1 (start) was made in {path} all the same: do not repeat it.\n"
    assert into("/dev/full", "/dev/full", "undo").returncode == 3
    assert "1. start\nundo 1\n--- end " in path.read_text()
    assert into("/dev/full", str(told), "show").returncode == 2
    assert told.read_text() == full.removesuffix(".") + "\n"
    assert into("/dev/null", "/dev/full", "do", "nonsense").returncode == 2
    assert into("/dev/full", str(told), "export", "--csv", "-o", str(tmp_path / "own.csv")).returncode == 3
    assert told.read_text() == f"{full} It was written to {tmp_path / 'own.csv'} all the same.\n"
    path.write_text(path.read_text().partition("--- end")[0])
    assert into("/dev/full", str(told), "check", "--mend").returncode == 3
    assert told.read_text() == f"{full} The intact part was saved in {tmp_path / 'own-mended.bt'} all the same.\n"


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "2>&-", "| true"])
def test_a_closed_output_ends_without_a_traceback(tmp_path, closed):
    path = tmp_path / "own.bt"
    line = f"{sys.executable} -m battletape battle new attack_dice --file {path} {closed}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr == ""
    assert path.exists()


def test_ctrl_c_at_a_prompt_ends_without_a_traceback():
    command = [sys.executable, "-m", "battletape", "roll", *ATTACK, "--typed"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, env=environment(), **pipes)  # type: ignore[call-overload]
    process.stdin.write(b"7 3 0\n")
    process.stdin.flush()
    told = b""
    while b"9 more>" not in told:
        told += process.stderr.read(1)
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode in (2, 130)
    assert b"Traceback" not in rest
    assert b'--answers "7 3 0"' in rest


@pytest.mark.parametrize("args", [("--help",), ("odds", *ATTACK)], ids=["help", "odds"])
def test_heavy_modules_are_not_imported(args):
    code = f"""
import sys
from battletape.cli import main
try:
    main({list(args)!r})
except SystemExit:
    pass
print("heavy:", [name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.rstrip().endswith("heavy: []")


HEAVY = (
    "rich",
    "numpy",
    "importlib.resources",
    "tomli_w",
    "importlib.metadata",
    "asyncio",
    "random",
    "battletape.battle",
    "battletape.rulesets.attack_dice.battle.actions",
    "hypothesis",
)


def test_help_imports_no_ruleset_and_no_command():
    code = "import sys\nfrom battletape.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
    code += "print([name for name in sys.modules if name.startswith(('battletape.cli.', 'battletape.r'))])"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.rstrip().endswith("['battletape.cli.app']")


def complete(words: str, at: int, name: str = "battletape", shell: str = "bash") -> list[str]:
    code = f"import sys; sys.argv[0] = {name!r}; from battletape.cli import main; main()"
    env = environment(**{f"_{name.upper()}_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)})
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "at", "wanted"),
    [
        ("battletape od", 1, ["odds"]),
        ("battletape odds att", 2, ["attack_dice"]),
        ("battletape odds attack_dice vol", 3, ["volley"]),
        ("battletape odds attack_dice attack --attac", 4, ["--attacker-melee", "--attacks"]),
        ("battletape odds attack_dice attack --dice ", 5, ["d10", "dual", "d6"]),
        ("battletape odds attack_dice attack --armour ", 5, ["2+", "3+", "4+", "5+", "6+"]),
        ("battletape odds attack_dice attack --measure hp", 5, ["hp_lost"]),
        ("battletape odds attack_dice attack --embarked ", 5, ["yes", "no"]),
        ("battletape odds attack_dice attack --unit Hil", 5, ["Hill\\ raiders"]),
        ("battletape rules attack_dice AD-92", 3, ["AD-92"]),
        ("battletape rules nothing AD-92", 3, []),
        ("battletape rules attack", 2, ["attack_dice"]),
        ("battletape profiles attack_dice yew", 3, ["Yew\\ bow"]),
        ("battletape profiles nothing yew", 3, []),
        ("battletape battle un", 2, ["undo"]),
        ("battletape battle do ", 3, []),
        ("battletape battle do attack u", 4, []),
        ("battletape completion f", 2, ["fish"]),
    ],
)
def test_names_options_and_choices_complete(words, at, wanted):
    assert complete(words, at) == wanted


def test_completion_works_for_the_short_name_too():
    assert complete("bt odds attack_dice ch", 3, name="bt") == ["chart"]


def test_actions_and_their_parameters_complete():
    run("battle", "new", "attack_dice")
    run("battle", "do", "start")
    assert complete("battletape battle do att", 3) == ["attack"]
    assert "unit=Storm wardens" in complete("battletape battle do attack unit", 4)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_both_commands(bt, bt_json, shell):
    text = bt("completion", shell).stdout
    assert "_BATTLETAPE_COMPLETE" in text
    assert "_BT_COMPLETE" in text
    assert sorted(bt_json("completion", shell)["scripts"]) == ["battletape", "bt"]


def test_the_shell_is_taken_from_the_environment(bt):
    assert "fish | source" in bt("completion", SHELL="/usr/bin/fish").stdout


def test_the_demo_asks_nothing_and_leaves_nothing_behind():
    before = sorted(os.listdir())
    done = subprocess.run(
        [sys.executable, "-m", "battletape.demo"],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    for told in ("$ battletape odds", "$ battletape roll", "$ battletape battle undo", "undo: move 2 is taken back"):
        assert told in done.stdout
    assert sorted(os.listdir()) == before


def test_a_closed_output_ends_quietly():
    done = subprocess.run(
        [f"{sys.executable} -m battletape dice d6 >&-; {sys.executable} -m battletape odds x 2>&-; echo $?"],
        shell=True,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_ctrl_c_while_it_starts_ends_without_a_traceback():
    """A signal 20 ms after it has begun: most of the modules are still to be imported."""
    code = "import os, signal; signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))\n"
    code += "from battletape.cli import main; signal.setitimer(signal.ITIMER_REAL, 0.02)\n"
    code += "main(['odds', 'deathwatch', 'shoot'])"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "")


def test_ctrl_c_while_a_class_is_being_made_ends_without_a_traceback():
    """Python 3.11 raises a RuntimeError, with the KeyboardInterrupt as its cause; newer versions hand it on."""
    code = "import os, signal; from battletape.cli import quietly\n"
    code += "class Slow:\n    def __set_name__(self, owner, name): os.kill(os.getpid(), signal.SIGINT)\n"
    code += "quietly(lambda: type('Made', (), {'slow': Slow()}))"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "")


def test_ctrl_c_is_heard_again_once_run_has_started_python():
    """./run has Ctrl-C ignored while Python itself starts, which would print a traceback."""
    code = "from battletape.cli import quietly; import os, signal; quietly(lambda: os.kill(os.getpid(), signal.SIGINT))"
    for called, ended in (("./run", 130), ("", 0)):
        done = subprocess.run(
            ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-c", code],
            env=environment() | {"BATTLETAPE_CALLED": called},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (ended, "")


def test_a_ctrl_c_that_was_held_back_while_python_started_is_not_lost():
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); from battletape.__main__ import main; main()"
    done = subprocess.run(
        ["env", "--block-signal=INT", sys.executable, "-c", code],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_demo_may_be_cut_short():
    command = f"{sys.executable} -m battletape.demo | head -2"
    done = subprocess.run(command, shell=True, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert "What will happen?" in done.stdout


def test_ctrl_c_while_the_command_line_itself_is_loaded_ends_without_a_traceback():
    """What the commands of an installation begin with hears Ctrl-C before it imports anything of ours."""
    code = """
import sys
from battletape.__main__ import main

class Interrupted:
    def find_spec(self, name, *rest):
        if name == "battletape.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
main()
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "")


def test_little_is_imported_before_ctrl_c_is_heard():
    code = "import sys; before = set(sys.modules); import battletape.__main__; print(sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment(), capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "['__future__', 'battletape', 'battletape.__main__', 'battletape._version']\n"


def test_the_first_line_of_a_battle_file_is_no_command(tmp_path):
    """Commands in our texts begin with the name we were started by; what stands in a file stays."""
    other = tmp_path / "other.bt"
    other.write_text("hello\n", encoding="utf-8")
    told = run("battle", "show", "--file", str(other), BATTLETAPE_CALLED="./run").stderr
    assert "a battle file begins with “battletape battle 1”; got 'hello'" in told
    assert "with: ./run battle new" in run("battle", "show", "--file", "none.bt", BATTLETAPE_CALLED="./run").stderr
