"""Every numbered rule is cited by a test, and every cited rule exists. The sources are parsed, not run."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent.parent / "spades_core" / "RULES.md"


def numbered_rules(text: str) -> list[str]:
    return re.findall(r"^- \*\*(R\d+)\*\* ", text, flags=re.MULTILINE)


def cited_rules(source: str) -> list[tuple[str, str]]:
    """Return a pair of test and number for each number in a `@pytest.mark.rule` on a test."""
    return [
        (function.name, str(ast.literal_eval(number)))
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name.startswith("test_")
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"
        for number in mark.args
    ]


def all_cited() -> list[tuple[str, str]]:
    return [cited for file in sorted(TESTS.glob("test_*.py")) for cited in cited_rules(file.read_text("utf-8"))]


def test_every_rule_has_a_test() -> None:
    numbers = numbered_rules(RULES.read_text("utf-8"))
    assert len(numbers) > 50
    untested = set(numbers) - {number for _, number in all_cited()}
    assert not untested, f"rules without a test: {sorted(untested)}"


def test_no_test_cites_an_unknown_rule() -> None:
    numbers = set(numbered_rules(RULES.read_text("utf-8")))
    unknown = [(test, number) for test, number in all_cited() if number not in numbers]
    assert not unknown


def test_rules_are_numbered_once_and_in_order() -> None:
    numbers = [int(number[1:]) for number in numbered_rules(RULES.read_text("utf-8"))]
    assert numbers == sorted(set(numbers))


def test_every_line_of_a_list_is_numbered() -> None:
    lines = [line for line in RULES.read_text("utf-8").splitlines() if line.lstrip().startswith("-")]
    assert len(lines) == len(numbered_rules("\n".join(lines)))


def test_only_marks_on_tests_are_read() -> None:
    source = """
import pytest

@pytest.mark.rule("R1", "R2")
@pytest.mark.parametrize("x", [1])
def test_a(x): ...

class TestB:
    @pytest.mark.rule("R3")
    async def test_c(self): ...

# @pytest.mark.rule("R4")
@pytest.mark.rule("R5")
def helper(): ...
"""
    assert cited_rules(source) == [("test_a", "R1"), ("test_a", "R2"), ("test_c", "R3")]
