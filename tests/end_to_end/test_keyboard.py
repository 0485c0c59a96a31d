"""A player uses the keyboard only: a bid, the spoken state of the table, and a card."""

from pathlib import Path

from tests.end_to_end.browser_player import BrowserPlayer, chromium
from tests.serving import serving


async def test_a_bid_and_a_card_need_no_mouse(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.open(browser, "Anna")
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        await anna.tap("play-now")
        confirm = anna.page.get_by_test_id("confirm-bid")
        await confirm.wait_for()
        await bid_three(anna)
        await confirm.wait_for(state="detached")
        assert "bid 3" in await anna.page.get_by_test_id("plate-0").inner_text()

        await anna.until("shown.phase === 'playing' && shown.turn === shown.you")
        await anna.page.keyboard.press("t")
        assert await anna.page.get_by_test_id("toast").inner_text() == "It is your turn to play."
        await play_by_keys(anna)
        assert anna.errors == []


async def bid_three(anna: BrowserPlayer) -> None:
    """Bid three, after trying nil and twelve."""
    confirm = anna.page.get_by_test_id("confirm-bid")
    for key, said in (("n", "Bid nil"), ("1", "Bid 1"), ("2", "Bid 12"), ("ArrowLeft", "Bid 11"), ("3", "Bid 3")):
        await anna.page.keyboard.press(key)
        assert await confirm.inner_text() == said
    await anna.page.keyboard.press("Enter")


async def play_by_keys(anna: BrowserPlayer) -> None:
    """Move to a legal card with an arrow key and play it with Enter."""
    held = await anna.hand()
    await anna.page.keyboard.press("ArrowRight")
    await anna.page.keyboard.press("Enter")
    await anna.until(f"document.querySelectorAll('[data-testid=hand] [data-testid^=card-]').length < {len(held)}")
    assert await anna.page.get_by_test_id("toast").count() == 0
