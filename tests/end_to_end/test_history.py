"""The back and forward buttons of the browser move between home, the rules and a table."""

from pathlib import Path

from tests.end_to_end.browser_player import BrowserPlayer, chromium
from tests.serving import serving


async def test_back_and_forward_keep_the_history(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.open(browser, "Anna")
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("change-rules")
        rules = anna.page.url
        await anna.tap("create-table")
        await anna.page.get_by_test_id("table-code").wait_for()
        table = anna.page.url

        await anna.page.go_back()
        await anna.page.get_by_test_id("back-to-table").wait_for()
        assert anna.page.url == rules
        await anna.page.go_forward()
        await anna.page.get_by_test_id("table-code").wait_for()
        assert anna.page.url == table
        assert anna.errors == []
