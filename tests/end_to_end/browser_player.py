"""A player in a real browser, who sees and does what the page allows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from tests.end_to_end.browser import ADVICE, browser_path

SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TIMEOUT_MS = 20_000


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    path = browser_path()
    assert path is not None, ADVICE
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        try:
            yield browser
        finally:
            await browser.close()


class BrowserPlayer:
    """A browser profile with one page; `errors` are the exceptions and console errors of the page."""

    def __init__(self, name: str, context: BrowserContext, page: Page) -> None:
        self.name = name
        self.context = context
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)

    @classmethod
    async def open(cls, browser: Browser, name: str, *, phone: bool = False) -> "BrowserPlayer":
        size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
        context = await browser.new_context(viewport=size, has_touch=phone)  # type: ignore[arg-type]
        return cls(name, context, await context.new_page())

    async def tap(self, testid: str) -> None:
        await self.page.get_by_test_id(testid).first.click()

    async def shown(self) -> dict[str, str]:
        """Return the data attributes of the root: phase, n, turn, you."""
        found: dict[str, str] = await self.page.evaluate("({...document.querySelector('[data-phase]').dataset})")
        return found

    async def until(self, script: str) -> None:
        """Wait until a JavaScript expression over `shown`, the data of the root, and `document` is true."""
        await self.page.wait_for_function(
            f"() => {{ const shown = document.querySelector('[data-phase]')?.dataset; return shown && ({script}); }}"
        )

    async def hand(self) -> set[str]:
        """Return the cards shown in the hand."""
        return await self._cards("hand", "card-")

    async def trick(self) -> set[str]:
        """Return the cards shown on the table."""
        return await self._cards("trick", "trick-")

    async def _cards(self, box: str, prefix: str) -> set[str]:
        found: list[str] = await self.page.evaluate(
            "([box, prefix]) => [...document.querySelectorAll(`[data-testid=${box}] [data-testid^=${prefix}]`)]"
            ".map(card => card.dataset.testid.slice(prefix.length))",
            [box, prefix],
        )
        return set(found)

    async def move(self, rng: Random, shown: dict[str, str] | None = None) -> bool:
        """Do what the page with the data `shown` waits for. Return False if it waits for nothing."""
        shown = shown or await self.shown()
        if shown["phase"] == "scored":
            if not await self.page.locator("[data-testid=next-hand]:enabled").count():
                return False
            await self.tap("next-hand")
        elif not shown["turn"] or shown["turn"] != shown["you"]:
            return False
        elif shown["phase"] == "bidding":
            await self.bid(rng)
        elif shown["phase"] == "passing":
            await self.pass_two_cards(rng)
        else:
            return await self.play_a_card(rng)
        return True

    async def bid(self, rng: Random) -> None:
        """Bid two to four if the rules allow it, after turning up a hand that is face down."""
        if await self.page.get_by_test_id("look").count():
            await self.tap("look")
        await self.page.get_by_test_id("confirm-bid").wait_for()
        offered = [number for number in range(14) if await self.page.get_by_test_id(f"bid-{number}").count()]
        modest = [number for number in offered if 2 <= number <= 4]
        await self.bid_tricks(rng.choice(modest or offered))

    async def bid_tricks(self, number: int) -> None:
        """Make a bid and wait for the answer."""
        on = (await self.shown())["n"]
        await self.tap(f"bid-{number}")
        await self.tap("confirm-bid")
        await self.until(f"shown.n !== '{on}'")

    async def pass_two_cards(self, rng: Random) -> None:
        """Pass two random cards."""
        for card in rng.sample(sorted(await self.hand()), 2):
            await self.page.get_by_test_id(f"card-{card}").click(position={"x": 8, "y": 12})
        await self.tap("pass-cards")
        await self.page.get_by_test_id("pass-cards").wait_for(state="detached")

    async def choose_rules(self, **switches: str) -> None:
        """Set switches of custom rules, from the first screen."""
        await self.tap("change-rules")
        await self.tap("rules-own")
        for name, value in switches.items():
            switch = self.page.get_by_test_id(f"switch-{name}")
            if await switch.evaluate("field => field.tagName") == "SELECT":
                await switch.select_option(value)
            else:
                await switch.fill(value)
                await switch.blur()

    async def play_a_card(self, rng: Random) -> bool:
        """Play a random legal card by a double click. Return False if none is legal, as the page is changing."""
        cards = await self.page.locator("[data-testid^=card-][data-legal=true]").all()
        if not cards:
            return False
        on = (await self.shown())["n"]
        await rng.choice(cards).dblclick(position={"x": 8, "y": 12})
        await self.until(f"shown.n !== '{on}'")
        return True


async def play_until(players: tuple[BrowserPlayer, ...], stop: str, rng: Random) -> None:
    """Play until `stop`, a JavaScript expression over `shown` and `document`, is true for the first player.

    The first player does nothing once it is true.
    """
    first, *others = players
    shown = "{...document.querySelector('[data-phase]').dataset}"
    script = f"(() => {{ const shown = {shown}; return ({stop}) ? null : shown; }})()"
    while (seen := await first.page.evaluate(script)) is not None:
        moved = [await first.move(rng, seen), *[await other.move(rng) for other in others]]
        if not any(moved):
            await asyncio.sleep(0.02)
