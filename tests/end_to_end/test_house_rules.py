"""A player in a browser chooses custom rules, is told of contradictions, and plays a game by them."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.end_to_end.browser_player import BrowserPlayer, chromium, play_until
from tests.serving import serving

GAME_SECONDS = 240


@pytest.fixture
async def anna(tmp_path: Path) -> AsyncIterator[BrowserPlayer]:
    """Anna on a phone has entered her name on the first screen."""
    async with serving(tmp_path) as server, chromium() as browser:
        anna = await BrowserPlayer.open(browser, "Anna", phone=True)
        await anna.page.goto(f"{server.page_url}?pace=0")
        await anna.page.get_by_test_id("name-field").fill("Anna")
        yield anna
        assert anna.errors == []


async def test_a_contradiction_is_explained_at_its_switch_and_the_choices_are_kept(anna: BrowserPlayer) -> None:
    await anna.choose_rules(target="250", blind_nil="on", nil_value="off")
    await anna.tap("create-table")
    problem = await anna.page.get_by_test_id("rules-problem").inner_text()
    assert problem == "These rules cannot be played: without nil there is no blind nil."
    around = await anna.page.locator(".switch", has=anna.page.get_by_test_id("rules-problem")).inner_text()
    assert around.startswith("Blind nil")
    assert await anna.page.get_by_test_id("switch-target").input_value() == "250"
    assert await anna.page.get_by_test_id("switch-blind_nil").input_value() == "on"

    await anna.page.get_by_test_id("switch-nil_value").select_option("50")
    assert await anna.page.get_by_test_id("rules-problem").count() == 0
    await anna.tap("create-table")
    rules = await anna.page.get_by_test_id("rules").inner_text()
    assert "The first side at 250 points wins." in rules
    assert "A bid of 0 is nil: 50 points" in rules

    await anna.page.goto(anna.page.url.split("/t/")[0] + "/?pace=0")
    assert "3 changes" in await anna.page.get_by_test_id("change-rules").inner_text()
    await anna.tap("make-table")
    assert "The first side at 250 points wins." in await anna.page.get_by_test_id("rules").inner_text()


async def test_presets_are_one_tap_away(anna: BrowserPlayer) -> None:
    await anna.tap("change-rules")
    await anna.tap("rules-casual")
    await anna.tap("create-table")
    rules = await anna.page.get_by_test_id("rules").inner_text()
    assert "The host is the first to bid in the first hand" in rules
    assert "loses on the spot" not in rules


@pytest.mark.timeout(GAME_SECONDS)
async def test_a_whole_game_with_jokers_and_a_blind_nil(anna: BrowserPlayer) -> None:
    rng = Random(5)
    await anna.choose_rules(
        deck="jokers_and_deuces", target="1000", floor="off", blind_nil="swap", hand_limit="5", failed_nil_tricks="bags"
    )
    await anna.tap("create-table")
    assert "the big joker" in await anna.page.get_by_test_id("rules").inner_text()
    await anna.tap("start-game")

    await fall_far_behind(anna, rng)
    await bid_blind_and_exchange_cards(anna, rng)

    await play_until((anna,), "shown.phase === 'over'", rng)
    result = await anna.page.get_by_test_id("game-over").inner_text()
    assert "win" in result


async def fall_far_behind(anna: BrowserPlayer, rng: Random) -> None:
    """Bid thirteen and fail until a blind nil is allowed.

    No side reaches a thousand points meanwhile, so there is always another hand.
    """
    question = anna.page.locator("[data-testid=confirm-bid], [data-testid=bid-blind]")
    await question.first.wait_for()
    while not await anna.page.get_by_test_id("bid-blind").count():
        await anna.bid_tricks(13)
        await play_until((anna,), "shown.phase === 'scored'", rng)
        await anna.tap("next-hand")
        await question.first.wait_for()


async def bid_blind_and_exchange_cards(anna: BrowserPlayer, rng: Random) -> None:
    """Bid blind nil on a hand that is face down, and exchange cards with the partner."""
    assert await anna.page.get_by_test_id("hand-back").count() == 13
    assert await anna.hand() == set()
    await anna.tap("bid-blind")
    await anna.tap("confirm-blind")
    await anna.until("document.querySelectorAll('[data-testid^=card-]').length === 13")
    assert "bid blind nil" in await anna.page.get_by_test_id("plate-0").inner_text()

    await anna.page.get_by_test_id("pass-cards").wait_for()
    await anna.pass_two_cards(rng)
    await anna.until("shown.phase === 'playing'")
    assert len(await anna.hand()) == 13
    assert await anna.page.locator(".hand .received").count() == 2, "the partner's cards are marked"
