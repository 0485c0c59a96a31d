"""The core imports only itself and those parts of the standard library that read no clock, file or socket."""

import ast
import sys
from pathlib import Path

import pytest

CORE = Path(__file__).parent.parent.parent / "spades_core"
IMPURE = {
    "asyncio",
    "datetime",
    "io",
    "logging",
    "os",
    "pathlib",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
}
MODULES = sorted(CORE.rglob("*.py"))


def imported_by(module: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(CORE)))
def test_a_module_imports_the_core_and_pure_parts_of_the_standard_library(module) -> None:
    names = imported_by(module) - {"spades_core"}
    assert names <= set(sys.stdlib_module_names)
    assert not names & IMPURE


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(CORE)))
def test_a_module_creates_no_random_generator(module) -> None:
    """The core imports only the type `Random`; its callers pass the generators."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [alias.name for alias in node.names] == ["Random"]
        assert not (isinstance(node, ast.Import) and any(alias.name == "random" for alias in node.names))
        assert not (isinstance(node, ast.Call) and ast.unparse(node.func) == "Random")


def test_the_modules_are_found() -> None:
    assert len(MODULES) > 15
