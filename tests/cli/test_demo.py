"""The guided tour, in this process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from battletape import demo


def test_every_scene_plays_and_the_folder_is_left_as_it_was(capsys):
    before = os.getcwd()
    demo.main()
    text = capsys.readouterr().out
    assert all(scene.title in text for scene in demo.SCENES)
    assert os.getcwd() == before
    assert os.listdir() == []


def test_a_scene_that_fails_ends_the_tour():
    with pytest.raises(SystemExit):
        demo.run("odds nothing")


def test_a_full_disk_ends_the_tour_with_a_sentence():
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "battletape.demo"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert ended.returncode == 2
    assert ended.stderr == "the output could not be written: the disk is full; make room, or choose another place\n"
