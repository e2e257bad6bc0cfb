"""What players read, as files: commands, each with what it prints. `./test tests/golden --update` writes them anew.

`<ruleset>.odds.txt` has the example of every question, in full; `<ruleset>.headlines.txt` has further questions, each
with its sentence; `<ruleset>.rolls.txt` has the example of every question rolled, and rolls with dice that are given.
The examples are added by themselves; write other commands into a file without their output, and update.
"""
