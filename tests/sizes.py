"""`python tests/sizes.py`: no module over 300 lines, no Python function over 40; all can be read at a sitting."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = ("spades_core", "server", "clients/python", "clients/web", "tests", "deploy")
KINDS = {".py", ".ts", ".tsx", ".css", ".lua"}
LEFT_OUT = {"node_modules", "page", "__pycache__"}
MODULE, FUNCTION = 300, 40


def too_long() -> Iterator[str]:
    """One sentence for everything over its size."""
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in KINDS or LEFT_OUT & set(path.parts):
                continue
            text = path.read_text()
            name, lines = path.relative_to(ROOT), len(text.splitlines())
            if lines > MODULE and name.name != "protocol.ts":
                yield f"{name} has {lines} lines; a module has at most {MODULE}"
            if path.suffix == ".py":
                yield from _long_functions(str(name), text)


def _long_functions(name: str, text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION:
                yield f"{name}:{node.lineno} {node.name} has {lines} lines; a function has at most {FUNCTION}"


if __name__ == "__main__":
    problems = list(too_long())
    print("\n".join(problems) or "every module and function can be read at a sitting")
    sys.exit(bool(problems))
