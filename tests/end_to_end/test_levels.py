"""A host in a browser chooses the level of each bot: at the seats, for the start, and between hands."""

from pathlib import Path
from random import Random

import pytest
from spades_client import Client

from tests.end_to_end.browser_player import BrowserPlayer, chromium, play_until
from tests.serving import serving

GAME_SECONDS = 120
FOCUSED = "(document.activeElement.ariaLabel ?? document.activeElement.innerText)"
"""The accessible name of the focused element."""


async def text(player: BrowserPlayer, testid: str) -> str:
    """Return the text of an element on one line."""
    return " ".join((await player.page.get_by_test_id(testid).inner_text()).split())


async def choose(player: BrowserPlayer, button: str, level: str) -> None:
    """Choose a level by two taps and wait for the answer."""
    await player.tap(button)
    await player.tap(f"level-{level}")
    await player.page.get_by_test_id(f"level-{level}").wait_for(state="detached")


@pytest.mark.timeout(GAME_SECONDS)
async def test_levels_are_chosen_at_the_seats_for_the_start_and_between_hands(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.open(browser, "Anna", phone=True)
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("make-table")
        await choose(anna, "add-bot-1", "easy")
        await choose(anna, "add-bot-3", "medium")
        await anna.page.get_by_test_id("change-bot-3").wait_for()
        assert await text(anna, "seat-1") == "O Otto easy bot on your left"
        assert await text(anna, "seat-3") == "W Wilma medium bot on your right"
        await choose(anna, "change-bot-3", "hard")
        await anna.until("document.querySelector('[data-testid=seat-3]').textContent.includes('hard')")

        assert await text(anna, "bot-level") == "1 empty seat: a hard bot takes it. Change"
        await choose(anna, "bot-level", "medium")
        assert await text(anna, "bot-level") == "1 empty seat: a medium bot takes it. Change"
        await anna.tap("start-game")
        await anna.until("shown.phase === 'bidding'")
        for seat, label in ((1, "Otto easy bot"), (2, "Hugo medium bot"), (3, "Wilma hard bot")):
            assert label in await text(anna, f"plate-{seat}")

        await play_until((anna,), "document.querySelector('[data-testid=change-bot-1]')", Random(3))
        await choose(anna, "change-bot-1", "hard")
        await anna.until("document.querySelector('[data-testid=change-bot-1]').textContent.includes('hard')")
        await anna.tap("next-hand")
        await anna.until("shown.phase === 'bidding'")
        assert "hard bot" in await text(anna, "plate-1")
        assert anna.errors == []


async def test_the_level_for_empty_seats_is_kept_in_the_browser(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.open(browser, "Anna")
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await choose(anna, "bot-level", "easy")
        await anna.page.reload()
        assert await text(anna, "bot-level") == "Bots: easy · change"
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("play-now")
        await anna.until("shown.phase === 'bidding'")
        assert ["easy bot" in await text(anna, f"plate-{seat}") for seat in (1, 2, 3)] == [True, True, True]
        assert anna.errors == []


async def test_a_bot_is_added_changed_and_removed_by_keyboard(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.open(browser, "Anna")
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("make-table")
        keys = anna.page.keyboard
        await anna.page.get_by_test_id("add-bot-1").focus()
        for key, focused in (
            ("Enter", "hard"),
            ("Enter", "Change Otto, a hard bot"),
            ("Enter", "hard"),
            ("Tab", "expert"),
            ("Enter", "Change Otto, an expert bot"),
            ("Enter", "expert"),
            ("Tab", "Remove this bot"),
            ("Enter", "Add a bot"),
        ):
            await keys.press(key)
            await anna.until(f"{FOCUSED}.startsWith({focused!r})")
        assert anna.errors == []


async def test_a_program_chooses_levels_too(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Client(server.ws_url, "Anna") as anna:
        await anna.make_table()
        await anna.add_bot(1)
        await anna.add_bot(2, "medium")
        changed = await anna.add_bot(2, "expert")
        started = await anna.start("easy")
    assert [seat.level for seat in changed.seats] == [None, "hard", "expert", None]
    assert [seat.level for seat in started.seats] == [None, "hard", "expert", "easy"]
