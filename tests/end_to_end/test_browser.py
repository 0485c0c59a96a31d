"""Two people in two browsers and two bots: a reload and a killed server in the middle of tricks, and the game's end."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.end_to_end.browser_player import BrowserPlayer, chromium, play_until
from tests.serving import ServerProcess, serving

GAME_SECONDS = 280


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    async with serving(tmp_path) as server:
        yield server


@pytest.fixture
async def people(server: ServerProcess) -> AsyncIterator[tuple[BrowserPlayer, BrowserPlayer]]:
    """Anna at a desk has made a table; Ben has come with the link on his phone and sits opposite."""
    async with chromium() as browser:
        anna, ben = await BrowserPlayer.at(browser, "Anna"), await BrowserPlayer.at(browser, "Ben", phone=True)
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("make-table")
        code = await anna.page.get_by_test_id("table-code").inner_text()
        await ben.page.goto(f"{server.page_url}t/{code.strip().replace(' ', '')}?pace=0")
        await ben.page.get_by_test_id("name-field").fill("Ben")
        await ben.tap("join-table")
        await ben.tap("seat-2")
        await anna.until("document.querySelector('[data-testid=seat-2]').textContent.includes('Ben')")
        yield anna, ben
        assert anna.complaints == []


async def my_turn_in_a_trick(person: BrowserPlayer, others: tuple[BrowserPlayer, ...], rng: Random) -> None:
    """Play on until it is this person's turn with cards on the table."""
    stop = (
        "shown.phase === 'playing' && shown.turn === shown.you"
        " && document.querySelector('[data-testid=trick] [data-testid^=trick-]')"
    )
    await play_until((person, *others), stop, rng)


async def seen(person: BrowserPlayer) -> tuple[set[str], set[str], str]:
    return await person.hand(), await person.trick(), (await person.shown())["turn"]


@pytest.mark.timeout(GAME_SECONDS)
async def test_a_reload_and_a_killed_server_in_the_middle_of_tricks_cost_nothing(
    server: ServerProcess, people: tuple[BrowserPlayer, BrowserPlayer]
) -> None:
    anna, ben = people
    rng = Random(11)
    await anna.tap("start-game")
    await anna.until("shown.phase === 'bidding'")
    await my_turn_in_a_trick(ben, (anna,), rng)
    before = await seen(ben)
    assert before[0]
    assert before[1]
    await ben.page.reload()
    await ben.until("shown.phase === 'playing'")
    assert await seen(ben) == before
    assert "away" not in await anna.page.get_by_test_id("plate-2").inner_text()
    assert await ben.act(rng), "the first card after a reload is accepted"

    await my_turn_in_a_trick(anna, (ben,), rng)
    await ben.until(f"shown.n === '{(await anna.shown())['n']}'")
    both = await seen(anna), await seen(ben)
    await server.kill()
    await anna.page.get_by_test_id("reconnecting").wait_for()
    await server.start()
    for person in people:
        await person.page.get_by_test_id("reconnecting").wait_for(state="detached")
    assert (await seen(anna), await seen(ben)) == both
    assert await anna.act(rng), "the first card after a restart is accepted"
    anna.complaints.clear()  # the browser itself notes the connection that broke

    await play_until(people, "shown.phase === 'over'", rng)
    await ben.until("shown.phase === 'over'")
    result = await anna.page.get_by_test_id("game-over").inner_text()
    assert "won" in result.lower() or "win" in result.lower()
