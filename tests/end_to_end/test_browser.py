"""Two players in browsers and two bots, with a reload and a killed server in the middle of tricks."""

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
async def players(server: ServerProcess) -> AsyncIterator[tuple[BrowserPlayer, BrowserPlayer]]:
    """Anna on a desktop has made a table; Ben has joined by the link on a phone and sits opposite."""
    async with chromium() as browser:
        anna, ben = await BrowserPlayer.open(browser, "Anna"), await BrowserPlayer.open(browser, "Ben", phone=True)
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
        assert anna.errors == []


async def play_until_mid_trick(player: BrowserPlayer, others: tuple[BrowserPlayer, ...], rng: Random) -> None:
    """Play until it is the turn of this player, with cards on the table."""
    stop = (
        "shown.phase === 'playing' && shown.turn === shown.you"
        " && document.querySelector('[data-testid=trick] [data-testid^=trick-]')"
    )
    await play_until((player, *others), stop, rng)


async def seen(player: BrowserPlayer) -> tuple[set[str], set[str], str]:
    return await player.hand(), await player.trick(), (await player.shown())["turn"]


@pytest.mark.timeout(GAME_SECONDS)
async def test_nothing_is_lost_by_a_reload_and_a_killed_server_in_the_middle_of_tricks(
    server: ServerProcess, players: tuple[BrowserPlayer, BrowserPlayer]
) -> None:
    anna, ben = players
    rng = Random(11)
    await anna.tap("start-game")
    await anna.until("shown.phase === 'bidding'")
    await play_until_mid_trick(ben, (anna,), rng)
    before = await seen(ben)
    assert before[0]
    assert before[1]
    await ben.page.reload()
    await ben.until("shown.phase === 'playing'")
    assert await seen(ben) == before
    assert "away" not in await anna.page.get_by_test_id("plate-2").inner_text()
    assert await ben.move(rng), "the first card after a reload is accepted"

    await play_until_mid_trick(anna, (ben,), rng)
    await ben.until(f"shown.n === '{(await anna.shown())['n']}'")
    both = await seen(anna), await seen(ben)
    await server.kill()
    await anna.page.get_by_test_id("reconnecting").wait_for()
    await server.start()
    for player in players:
        await player.page.get_by_test_id("reconnecting").wait_for(state="detached")
    assert (await seen(anna), await seen(ben)) == both
    assert await anna.move(rng), "the first card after a restart is accepted"
    anna.errors.clear()  # the browser logs the broken connection

    await play_until(players, "shown.phase === 'over'", rng)
    await ben.until("shown.phase === 'over'")
    result = await anna.page.get_by_test_id("game-over").inner_text()
    assert "won" in result.lower() or "win" in result.lower()
