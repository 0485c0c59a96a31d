"""`python tests/sizes.py`: no module over 300 lines, no function over 40; all can be read at a sitting."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = ("spades_core", "server", "clients/python", "clients/web", "tests", "deploy")
KINDS = {".py", ".ts", ".tsx", ".css", ".lua"}
LEFT_OUT = {"node_modules", "page", "__pycache__"}
MODULE, FUNCTION = 300, 40
BLOCK = re.compile(r"(export )?(default )?((async )?function|const \w+.*=>)")


def too_long() -> Iterator[str]:
    """One sentence for everything over its size."""
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT)
            if path.suffix not in KINDS or LEFT_OUT & set(name.parts):
                continue
            text = path.read_text()
            lines = len(text.splitlines())
            if lines > MODULE and name.name != "protocol.ts":
                yield f"{name} has {lines} lines; a module has at most {MODULE}"
            if path.suffix == ".py":
                yield from _long_functions(str(name), text)
            if path.suffix in {".ts", ".tsx"}:
                yield from _long_blocks(str(name), text.splitlines())


def _long_functions(name: str, text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION:
                yield f"{name}:{node.lineno} {node.name} has {lines} lines; a function has at most {FUNCTION}"


def _long_blocks(name: str, lines: list[str]) -> Iterator[str]:
    """Functions of TypeScript at the top of a file; they end with the next line that begins with a bracket."""
    for begin, line in enumerate(lines):
        if not BLOCK.match(line) or line.endswith(";"):
            continue
        end = next((at for at in range(begin + 1, len(lines)) if lines[at][:1] in tuple("})")), begin)
        if end - begin + 1 > FUNCTION:
            yield f"{name}:{begin + 1} has {end - begin + 1} lines; a function has at most {FUNCTION}"


if __name__ == "__main__":
    problems = list(too_long())
    print("\n".join(problems) or "every module and function can be read at a sitting")
    sys.exit(bool(problems))
