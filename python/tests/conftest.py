"""What the tests share: the examples, the program, and a short slider-crank."""

import os
import subprocess
from pathlib import Path

import pytest

import tappet

examples = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def model():
    """The slider-crank with play in its wrist joint, two turns of the crank."""
    model = tappet.load(examples / "slider_crank" / "clearance.yaml")
    model["simulation.duration"] = "24 ms"
    return model


@pytest.fixture
def program():
    """Runs the command-line program, and returns what it prints."""

    def run(*arguments):
        command = [os.environ["TAPPET_PROGRAM"], *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run
