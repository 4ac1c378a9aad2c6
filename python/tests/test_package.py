"""The package as it is installed: by pip, with its types."""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tappet
from tappet import _core

root = Path(__file__).resolve().parents[2]
package = Path(tappet.__file__).parent


def test_pip_installs_a_package_that_stands_alone(tmp_path):
    # From a copy: pip writes into the folder it builds from. The library is the one that is built already.
    source, target = tmp_path / "source", tmp_path / "target"
    for name in ("pyproject.toml", "setup.py", "README.md", "CMakeLists.txt", "LICENSE", "python"):
        item = root / name
        (shutil.copytree if item.is_dir() else shutil.copy)(item, (source.mkdir(exist_ok=True) or source) / name)
    command = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--quiet"]
    done = subprocess.run([*command, "--target", target, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

    installed = {item.name for item in (target / "tappet").iterdir()}
    assert {"__init__.py", "py.typed", "_core.pyi", "libtappet.so.0"} <= installed
    assert any(item.name.startswith("tappet-") for item in target.glob("*.dist-info"))
    # Nothing of the build tree is used: module and library are the installed ones.
    script = (
        "import tappet; from tappet import _core; print(_core.__file__);"
        "print({line.split()[-1] for line in open('/proc/self/maps') if 'libtappet.so' in line}); print(tappet.__version__)"
    )
    environment = {**os.environ, "PYTHONPATH": str(target), "PYTHONDONTWRITEBYTECODE": "1"}
    out = subprocess.run([sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True).stdout
    module, libraries, version = out.splitlines()
    assert Path(module).parent == target / "tappet"
    assert libraries == str({str(target / "tappet" / "libtappet.so.0")})
    assert version == tappet.__version__


def members(body):
    return {node.name if not isinstance(node, ast.AnnAssign) else node.target.id for node in body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))}


def test_the_stub_names_what_the_module_has():
    stub = ast.parse((package / "_core.pyi").read_text())
    public = {name for name in vars(_core) if not name.startswith("_")}
    assert public == {name for name in members(stub.body) if not name.startswith("_")}
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    for name in public & set(classes):
        node = classes[name]
        named = members(node.body).union(*(members(classes[base.id].body) for base in node.bases))
        has = {member for member in vars(getattr(_core, name)) if not member.startswith("_")}
        assert has == {member for member in named if not member.startswith("_")}, name
        assert all(hasattr(getattr(_core, name), member) for member in named), name


def mypy(*arguments):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    environment = {**os.environ, "MYPYPATH": str(package.parent)}
    command = [sys.executable, "-m", "mypy", "--config-file", root / "pyproject.toml", "--no-incremental", "--cache-dir", os.devnull]
    return subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True)


def test_types_hold(tmp_path):
    good = tmp_path / "good.py"
    good.write_text(
        "import tappet\n"
        "model = tappet.load('a.yaml')\n"
        "model['bodies.crank.mass'] = '2 kg'\n"
        "result = model.run(set={'simulation.duration': 1})\n"
        "peak: float = float(abs(result['motor.torque']).max())\n"
        "names: list[str] = result.contacts\n"
        "try:\n    model.check()\nexcept tappet.InputError as error:\n    line: int | None = error.line\n"
    )
    bad = tmp_path / "bad.py"
    bad.write_text("import tappet\ntappet.load('a.yaml').run(outputs='x')\nn: int = tappet.open('a.h5').time\n")
    done = mypy(good, bad, *sorted(package.glob("_[a-z]*.py")))
    faults = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert all("bad.py" in fault for fault in faults) and len(faults) == 2, done.stdout
    assert 'Unexpected keyword argument "outputs"' in faults[0] and "bad.py:3: error: Incompatible types" in faults[1]
