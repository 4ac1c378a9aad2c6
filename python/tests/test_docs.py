"""The pages say what the program prints."""

import doctest

from conftest import examples

root = examples.parent


def test_the_python_page_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(examples)
    outcome = doctest.testfile(str(root / "docs" / "python.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.attempted > 40 and outcome.failed == 0
