"""Bots with one fault each, otherwise `medium`: the arena has to find it."""

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
        known = infer(view)
        changed = self.change_card(known, known.deck.bit[card])
        return known.deck.cards[changed.bit_length() - 1]

    def change_card(self, _known: Knowledge, bit: int) -> int:
        return bit


def make_medium() -> Medium:
    return Medium()


INSTANCE = Medium()


class Illegal(Medium):
    """Makes an illegal decision now and then."""

    def choose_bid(self, view: SeatView, rng: Random) -> Any:
        return 14 if rng.random() < 0.2 else super().choose_bid(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Any:
        return rng.choice(("ZZ", None, 7)) if rng.random() < 0.05 else super().choose_card(view, rng)


class Exits(Medium):
    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if len(view.tricks) == 5:
            sys.exit("in the sixth trick")
        return super().choose_card(view, rng)


class RaisesUnprintable(Medium):
    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if len(view.tricks) == 5:
            raise Unprintable
        return super().choose_card(view, rng)


class Unprintable(Exception):
    def __str__(self) -> str:
        raise Unprintable


class Raises(Medium):
    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if len(view.tricks) == 5:
            raise ZeroDivisionError("in the sixth trick")
        return super().choose_card(view, rng)


class Interrupted(Medium):
    """Ctrl-C in its fourth hand."""

    hands = 0

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        Interrupted.hands += 1
        if Interrupted.hands > 8 * 3 + 1:
            raise KeyboardInterrupt
        return super().choose_bid(view, rng)


class BidsBlind(Medium):
    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        assert not view.hand
        return rng.random() < 0.8


class BidsBlindIllegally(Medium):
    def choose_blind(self, _view: SeatView, _rng: Random) -> Any:
        return "yes"


class WithoutBlind:
    choose_bid, choose_pass, choose_card = Medium().choose_bid, Medium().choose_pass, Medium().choose_card


class OverbidsBesideNil(Medium):  # a
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = super().choose_bid(view, rng)
        return min(bid + 3, 13) if _partner_bid(view) == 0 else bid


class WastesWinners(Medium):  # b
    def change_card(self, known: Knowledge, bit: int) -> int:
        wasted = known.legal & known.sure_winners & ~known.winners
        return bits_of(wasted)[-1] if wasted else bit


class BeatsPartner(Medium):  # c
    def change_card(self, known: Knowledge, bit: int) -> int:
        partner_wins = known.plays_last and known.winning == known.partner and known.bids[known.partner]
        return bits_of(known.winners)[-1] if partner_wins and known.winners else bit


class WinsTooHigh(Medium):  # d
    def change_card(self, known: Knowledge, bit: int) -> int:
        return bits_of(known.winners)[-1] if known.plays_last and bit & known.winners else bit


class Underbids(Medium):  # e
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = super().choose_bid(view, rng)
        return max(1, bid - 2) if bid else 0


class TakesBags(Medium):  # e+
    def change_card(self, known: Knowledge, bit: int) -> int:
        return bits_of(known.winners)[0] if known.plays_last and known.winners else bit


class BidsOneLast(Medium):  # f
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return 1 if sum(seat.bid is None for seat in view.seats) == 1 else super().choose_bid(view, rng)


class SecondNil(Medium):  # g
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return 0 if _partner_bid(view) == 0 else super().choose_bid(view, rng)


class FearsBags(Medium):  # h
    def choose_bid(self, view: SeatView, rng: Random) -> int:
        bid = super().choose_bid(view, rng)
        return bid + 1 if bid and view.sides[_seat(view) & 1].bags > 7 else bid


class MissesSet(Medium):  # i
    def change_card(self, known: Knowledge, bit: int) -> int:
        losers = known.legal & ~known.winners
        return bits_of(losers)[0] if known.plays_last and losers and known.needed <= 0 else bit


class CoversBrokenNil(Medium):  # j
    def change_card(self, known: Knowledge, bit: int) -> int:
        covers = known.best and known.winning == known.partner and known.bids[known.partner] == 0
        return bits_of(known.winners)[-1] if covers and known.winners else bit


class SeesHands(Medium):  # hidden
    """Finds the table in the frames of its callers."""

    def choose_card(self, view: SeatView, _rng: Random) -> Card:
        frame = sys._getframe(1)
        while not isinstance(frame.f_locals.get("table"), Table):
            assert frame.f_back is not None
            frame = frame.f_back
        hand = current_hand(frame.f_locals["table"])
        deck = DECKS[view.rules.deck]
        theirs = hand.held[(_seat(view) + 1) & 3]
        return min(view.legal_cards, key=lambda card: (theirs & deck.follow_mask[card]).bit_count())


class ShowsPartner(Medium):  # hidden
    """Leaves its hand where its partner finds it."""

    def __init__(self) -> None:
        self.hands: dict[int, tuple[Card, ...]] = {}

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        self.hands[_seat(view)] = view.hand
        return super().choose_bid(view, rng)

    def choose_card(self, view: SeatView, _rng: Random) -> Card:
        partners = self.hands.get(partner_of(_seat(view)), ())
        return max(view.legal_cards, key=lambda card: (sum(other[1] == card[1] for other in partners), card))


def _partner_bid(view: SeatView) -> int | None:
    return view.seats[partner_of(_seat(view))].bid


def _seat(view: SeatView) -> int:
    assert view.you is not None
    return view.you
