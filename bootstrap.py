"""Set up Patience in a virtual environment of its own, `.venv`, beside this file.

    python3 bootstrap.py                what grading needs
    python3 bootstrap.py test           and what the tests need
    python3 bootstrap.py test lint      and what CI needs

Needs Python 3.10 or later and pip, nothing else; run it again as often as you like. It never touches the system's own
packages, so it works where those are "externally managed", for any user, and where Debian's python3-venv is missing.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def main(extras: "list[str]") -> None:
    if sys.version_info < (3, 10):  # noqa: UP036 - this file must say so itself
        sys.exit("Patience needs Python 3.10 or later; this is " + sys.version.split()[0])
    if not _works():
        _make()
    stamp = VENV / f"patience-{'-'.join(['core', *sorted(extras)])}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    print("setting up .venv (once) ...", flush=True)
    what = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    _pip("install", "--quiet", "--disable-pip-version-check", "--editable", what)
    stamp.write_text(wanted, encoding="utf-8")


def _works() -> bool:
    return (
        PYTHON.exists()
        and subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0
    )


def _make() -> None:
    """The standard module makes the environment; where Debian left its pip out, virtualenv does."""
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, check=False)
    if made.returncode == 0 and _works():
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv"], check=True
        )
        environment = {**os.environ, "PYTHONPATH": folder}
        subprocess.run(
            [sys.executable, "-m", "virtualenv", "--quiet", "--clear", str(VENV)], env=environment, check=True
        )


def _pip(*arguments: str) -> None:
    done = subprocess.run([PYTHON, "-m", "pip", *arguments], check=False)
    if done.returncode:
        sys.exit("pip could not install what is needed; its message stands above")


if __name__ == "__main__":
    main(sys.argv[1:])
