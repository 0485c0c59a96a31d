"""deploy/README.md lists all settings, with their defaults, and all files of its folder."""

import re
from pathlib import Path

from server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TEXT = (DEPLOY / "README.md").read_text(encoding="utf-8")
A_SETTING = re.compile(r"SPADES_[A-Z_]*[A-Z]")


def test_every_setting_is_listed_and_no_other() -> None:
    listed = re.findall(r"^\| `(SPADES_\w+)` \|", TEXT, re.MULTILINE)
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "server").rglob("*.py"))
    assert set(listed) == set(A_SETTING.findall(source))


def test_the_defaults_are_those_of_the_source() -> None:
    defaults = dict(re.findall(r"^\| `SPADES_(\w+)` \| `([^`]+)` \|", TEXT, re.MULTILINE))
    assert defaults
    for name, shown in defaults.items():
        value = getattr(Settings(), name.lower())
        assert shown == (f"{value:g}" if isinstance(value, float) else str(value)), name


def test_the_shipped_files_use_only_settings_that_exist() -> None:
    listed = set(A_SETTING.findall(TEXT))
    for path in DEPLOY.iterdir():
        if path.is_file():
            assert set(A_SETTING.findall(path.read_text(encoding="utf-8"))) <= listed, path.name


def test_every_file_is_listed() -> None:
    assert {path.name for path in DEPLOY.iterdir() if path.is_file()} - {"README.md"} == {
        name for name in re.findall(r"^\| `([\w.-]+)` \|", TEXT, re.MULTILINE) if not A_SETTING.match(name)
    }
