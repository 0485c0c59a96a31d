"""A host chooses how strong each bot is, in a browser: at the seats, for the start, and again between two hands."""

from pathlib import Path
from random import Random

import pytest
from spades_client import Client

from tests.end_to_end.browser_player import BrowserPlayer, chromium, play_until
from tests.serving import serving

GAME_SECONDS = 120
HEARD = "(document.activeElement.ariaLabel ?? document.activeElement.innerText)"
"""What a screen reader says of where the focus is."""


async def words(person: BrowserPlayer, testid: str) -> str:
    """What is read there, on one line."""
    return " ".join((await person.page.get_by_test_id(testid).inner_text()).split())


async def choose(person: BrowserPlayer, button: str, level: str) -> None:
    """By two taps, and until the table has answered."""
    await person.tap(button)
    await person.tap(f"level-{level}")
    await person.page.get_by_test_id(f"level-{level}").wait_for(state="detached")


@pytest.mark.timeout(GAME_SECONDS)
async def test_a_host_adds_bots_of_two_levels_changes_one_starts_and_changes_one_between_hands(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.at(browser, "Anna", phone=True)
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("make-table")
        await choose(anna, "add-bot-1", "easy")
        await choose(anna, "add-bot-3", "medium")
        await anna.page.get_by_test_id("change-bot-3").wait_for()
        assert await words(anna, "seat-1") == "O Otto easy bot on your left"
        assert await words(anna, "seat-3") == "W Wilma medium bot on your right"
        await choose(anna, "change-bot-3", "hard")
        await anna.until("document.querySelector('[data-testid=seat-3]').textContent.includes('hard')")

        assert await words(anna, "bot-level") == "1 empty seat: a hard bot takes it. Change"
        await choose(anna, "bot-level", "medium")
        assert await words(anna, "bot-level") == "1 empty seat: a medium bot takes it. Change"
        await anna.tap("start-game")
        await anna.until("shown.phase === 'bidding'")
        for seat, is_who in ((1, "Otto easy bot"), (2, "Hugo medium bot"), (3, "Wilma hard bot")):
            assert is_who in await words(anna, f"plate-{seat}")

        await play_until((anna,), "document.querySelector('[data-testid=change-bot-1]')", Random(3))
        await choose(anna, "change-bot-1", "hard")
        await anna.until("document.querySelector('[data-testid=change-bot-1]').textContent.includes('hard')")
        await anna.tap("next-hand")
        await anna.until("shown.phase === 'bidding'")
        assert "hard bot" in await words(anna, "plate-1")
        assert anna.complaints == []


async def test_the_level_for_the_empty_seats_is_kept_in_the_browser_and_played_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.at(browser, "Anna")
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await choose(anna, "bot-level", "easy")
        await anna.page.reload()
        assert await words(anna, "bot-level") == "Bots: easy · change"
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("play-now")
        await anna.until("shown.phase === 'bidding'")
        assert ["easy bot" in await words(anna, f"plate-{seat}") for seat in (1, 2, 3)] == [True, True, True]
        assert anna.complaints == []


async def test_a_bot_is_added_made_stronger_and_sent_away_by_keyboard_alone(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.at(browser, "Anna")
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
            await anna.until(f"{HEARD}.startsWith({focused!r})")
        assert anna.complaints == []


async def test_a_program_chooses_levels_as_well(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Client(server.ws_url, "Anna") as anna:
        await anna.make_table()
        await anna.add_bot(1)
        await anna.add_bot(2, "medium")
        changed = await anna.add_bot(2, "expert")
        begun = await anna.start("easy")
    assert [seat.level for seat in changed.seats] == [None, "hard", "expert", None]
    assert [seat.level for seat in begun.seats] == [None, "hard", "expert", "easy"]
