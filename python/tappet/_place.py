"""Where in the user's program we are called from."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

_package = os.path.dirname(os.path.abspath(__file__)) + os.sep


def caller() -> tuple[str, int]:
    """File and line of the innermost frame that is the user's."""
    frame = sys._getframe(1)
    # Python's own modules may stand between: model.update({...}).
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_package, "<frozen ")):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def text(given: str) -> str:
    """As it is, where UTF-8 can write it. Python makes halves of surrogate pairs of bytes in file names that are no text."""
    try:
        given.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{given!a} holds half of a surrogate pair, which is no letter: it cannot be written as UTF-8") from None
    return given


def path(given: str | os.PathLike[str]) -> str:
    """A file's name."""
    return text(os.fspath(given))


def write(given: str | os.PathLike[str], content: str) -> None:
    """Writes a text file. An older one stays until the new one is whole and on the disk."""
    target = os.path.realpath(path(given))
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "w", encoding="utf-8") as stream:  # a pipe, a device; of a directory Python says what is wrong
            stream.write(content)
        return
    if not os.path.exists(target):
        open(target, "x").close()  # with the rights that files of this user have
    handle, beside = tempfile.mkstemp(".part", os.path.basename(target) + ".", os.path.dirname(target))
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(handle)
        shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise
