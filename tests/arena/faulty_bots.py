"""Bots with a planted fault each, otherwise medium: what the arena has to find."""

import sys
from random import Random
from typing import Any

from arena.blunders.inference import Knowledge, bits_of, infer
from spades_core.bots.levels import medium
from spades_core.cards import Card
from spades_core.deck import DECKS
from spades_core.evolve import current_hand
from spades_core.seats import partner_of
from spades_core.state import Table
from spades_core.views import SeatView


class Medium:
    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        return medium.choose_blind(view, rng)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return medium.choose_bid(view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        return medium.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        card = medium.choose_card(view, rng)
        seen = infer(view)
        wanted = self.rather(seen, seen.deck.bit[card])
        return seen.deck.cards[wanted.bit_length() - 1]

    def rather(self, _seen: Knowledge, bit: int) -> int:
        return bit


def made_medium() -> Medium:
    return Medium()


ONE_OF_THEM = Medium()


class Cheater(Medium):
    """Every now and then it does what it may not do."""

    def choose_bid(self, view: SeatView, rng: Random) -> Any:
        return 14 if rng.random() < 0.2 else super().choose_bid(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Any:
        return rng.choice(("ZZ", None, 7)) if rng.random() < 0.05 else super().choose_card(view, rng)


class Leaver(Medium):
    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if len(view.tricks) == 5:
            sys.exit("on the sixth trick")
        return super().choose_card(view, rng)


class Speechless(Medium):
    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if len(view.tricks) == 5:
            raise Unspeakable
        return super().choose_card(view, rng)


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise Unspeakable


class Stumbler(Medium):
    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if len(view.tricks) == 5:
            raise ZeroDivisionError("on the sixth trick")
        return super().choose_card(view, rng)


class Impatient(Medium):
    """As if somebody pressed Ctrl-C in its third hand."""

    hands = 0

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        Impatient.hands += 1
        if Impatient.hands > 8 * 3 + 1:
            raise KeyboardInterrupt
        return super().choose_bid(view, rng)


class BidsBlind(Medium):
    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        assert not view.hand
        return rng.random() < 0.8


class BidsBlindBadly(Medium):
    def choose_blind(self, _view: SeatView, _rng: Random) -> Any:
        return "yes"


class OfThreeFunctions:
    choose_bid, choose_pass, choose_card = Medium().choose_bid, Medium().choose_pass, Medium().choose_card


class SetsItselfCovering(Medium):  # a
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = super().choose_bid(view, rng)
        return min(bid + 3, 13) if _partner_bid(view) == 0 else bid


class ThrowsWinners(Medium):  # b
    def rather(self, seen: Knowledge, bit: int) -> int:
        thrown = seen.legal & seen.sure_winners & ~seen.winners
        return bits_of(thrown)[-1] if thrown else bit


class BeatsPartner(Medium):  # c
    def rather(self, seen: Knowledge, bit: int) -> int:
        winners = seen.winners if seen.last and seen.winning == seen.partner and seen.bids[seen.partner] else 0
        return bits_of(winners)[-1] if winners else bit


class WinsDearly(Medium):  # d
    def rather(self, seen: Knowledge, bit: int) -> int:
        return bits_of(seen.winners)[-1] if seen.last and bit & seen.winners else bit


class Underbids(Medium):  # e
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = super().choose_bid(view, rng)
        return max(1, bid - 2) if bid else 0


class TakesBags(Medium):  # e+
    def rather(self, seen: Knowledge, bit: int) -> int:
        return bits_of(seen.winners)[0] if seen.last and seen.winners else bit


class BidsOne(Medium):  # f
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return 1 if sum(seat.bid is None for seat in view.seats) == 1 else super().choose_bid(view, rng)


class SecondNil(Medium):  # g
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return 0 if _partner_bid(view) == 0 else super().choose_bid(view, rng)


class FearsBags(Medium):  # h
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = super().choose_bid(view, rng)
        return bid + 1 if bid and view.sides[_me(view) & 1].bags > 7 else bid


class LetsOff(Medium):  # i
    def rather(self, seen: Knowledge, bit: int) -> int:
        losers = seen.legal & ~seen.winners
        return bits_of(losers)[0] if seen.last and losers and seen.ours <= 0 else bit


class CoversOnAndOn(Medium):  # j
    def rather(self, seen: Knowledge, bit: int) -> int:
        covers = seen.best and seen.winning == seen.partner and seen.bids[seen.partner] == 0
        return bits_of(seen.winners)[-1] if covers and seen.winners else bit


class LooksIntoHands(Medium):  # unseen
    """Finds the table in the memory of whoever asks it."""

    def choose_card(self, view: SeatView, _rng: Random) -> Card:
        frame = sys._getframe(1)
        while not isinstance(frame.f_locals.get("table"), Table):
            assert frame.f_back is not None
            frame = frame.f_back
        hand = current_hand(frame.f_locals["table"])
        deck = DECKS[view.rules.deck]
        theirs = hand.held[(_me(view) + 1) & 3]
        return min(view.legal_cards, key=lambda card: (theirs & deck.follow_mask[card]).bit_count())


class TellsItsPartner(Medium):  # unseen
    """Leaves its hand where its partner finds it."""

    def __init__(self) -> None:
        self.told: dict[int, tuple[Card, ...]] = {}

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        self.told[_me(view)] = view.hand
        return super().choose_bid(view, rng)

    def choose_card(self, view: SeatView, _rng: Random) -> Card:
        partners = self.told.get(partner_of(_me(view)), ())
        return max(view.legal_cards, key=lambda card: (sum(other[1] == card[1] for other in partners), card))


def _partner_bid(view: SeatView) -> int | None:
    return view.seats[partner_of(_me(view))].bid


def _me(view: SeatView) -> int:
    assert view.you is not None
    return view.you
