"""The pages say what the program prints."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

from conftest import examples

root = examples.parent


def test_the_python_page_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(examples)
    outcome = doctest.testfile(str(root / "docs" / "python.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.attempted > 40 and outcome.failed == 0


def test_the_example_prints_what_its_page_says(tmp_path):
    page = (examples / "python" / "README.md").read_text()
    expected = re.search(r"```\n(.*?)```", page, re.DOTALL)[1].splitlines()
    script = examples / "python" / "soft_bushing.py"
    figure = tmp_path / "lining.svg"
    printed = subprocess.run([sys.executable, script, figure], check=True, capture_output=True, text=True).stdout.splitlines()
    assert printed == expected
    assert figure.stat().st_size > 10_000
