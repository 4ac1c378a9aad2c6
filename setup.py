"""Makes the Python package: CMake builds the library and the extension module, and both go into the package.

    pip install --no-build-isolation .

TAPPET_BUILD names a build folder that already has them (target tappet_python); CMAKE_ARGS holds more options for CMake.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def run(self):
        package = Path(self.build_lib)
        if self.inplace:
            package = root / "python"
        build = os.environ.get("TAPPET_BUILD") or self.build(Path(self.build_temp).resolve())
        self.call("cmake", "--install", build, "--component", "python", "--prefix", package.resolve())

    def build(self, folder):
        self.call("cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTAPPET_TESTS=OFF",
                  f"-DPython_EXECUTABLE={sys.executable}", *os.environ.get("CMAKE_ARGS", "").split())
        self.call("cmake", "--build", folder, "--target", "tappet_python")
        return folder

    @staticmethod
    def call(*command):
        subprocess.run([str(part) for part in command], check=True)


setup(
    version=re.search(r"project\(tappet VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1],
    ext_modules=[Extension("tappet._core", [])],
    cmdclass={"build_ext": CMakeBuild},
)
