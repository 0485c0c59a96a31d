import pytest

from spades_core.commands import (
    DealHand,
    LeaveSeat,
    OpenTable,
    PlaceBid,
    PlayCard,
    ReturnToSeat,
    SeatBot,
    TakeOver,
    TakeSeat,
)
from spades_core.events import (
    BotTookOver,
    PlayerReturned,
    SeatChanged,
    SeatLeft,
    SeatTaken,
    TableOpened,
)
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS, next_seat, partner_of, seats_of, side_of
from tests.spades_core.scenarios import NAMES, PLAYERS, Scenario, after_hands, deal, dealt, play_sweep, seated, started


def over() -> Scenario:
    """A game that has just ended; people sit on all four seats."""
    scenario = after_hands((490, 0))
    play_sweep(scenario, 12, 1, 1, 1)
    assert scenario.table.phase == "over"
    return scenario


@pytest.mark.rule("R1")
def test_partners_sit_opposite_and_the_next_seat_is_clockwise() -> None:
    assert SEATS == (0, 1, 2, 3)
    assert [partner_of(seat) for seat in SEATS] == [2, 3, 0, 1]
    assert [next_seat(seat) for seat in SEATS] == [1, 2, 3, 0]
    assert [side_of(seat) for seat in SEATS] == [0, 1, 0, 1]
    assert seats_of(side_of(SEATS[3])) == (1, 3)


@pytest.mark.rule("R2")
def test_the_player_who_opens_a_table_sits_on_seat_0_and_is_host() -> None:
    scenario = Scenario()
    events = scenario.do(OpenTable("HRTJK", CLASSIC, PLAYERS[0], "Mara"))
    assert events == (TableOpened("HRTJK", CLASSIC), SeatTaken(SEATS[0], "Mara", PLAYERS[0]))
    assert scenario.table.host == 0
    assert scenario.table.phase == "lobby"
    assert scenario.table.seat_of(PLAYERS[0]) == 0
    assert scenario.table.seat_of("somebody else") is None


@pytest.mark.rule("R3")
def test_empty_seats_and_seats_of_bots_may_be_taken() -> None:
    scenario = seated(people=2)
    scenario.do(SeatBot(SEATS[0], SEATS[3]))
    assert scenario.do(TakeSeat("new", "Eve", SEATS[3])) == (SeatTaken(SEATS[3], "Eve", "new"),)
    assert scenario.do(TakeSeat("other", "Finn", SEATS[2])) == (SeatTaken(SEATS[2], "Finn", "other"),)
    assert scenario.refuses(TakeSeat("third", "Gus", SEATS[1]), "seat_taken") == "Ben sits there."


@pytest.mark.rule("R3", "R71")
def test_the_seat_of_a_person_who_is_away_is_kept() -> None:
    scenario = dealt()
    scenario.do(LeaveSeat(SEATS[1]))
    scenario.refuses(TakeSeat("new", "Eve", SEATS[1]), "seat_taken")
    assert scenario.table.seat_of(PLAYERS[1]) == 1


@pytest.mark.rule("R4")
def test_between_games_a_player_changes_to_an_empty_seat_or_a_bots() -> None:
    scenario = seated(people=2)
    assert scenario.do(TakeSeat(PLAYERS[1], "Ben", SEATS[2])) == (SeatChanged(SEATS[1], SEATS[2]),)
    scenario.do(SeatBot(SEATS[0], SEATS[1]))
    assert scenario.do(TakeSeat(PLAYERS[1], "Ben", SEATS[1])) == (SeatLeft(SEATS[1]), SeatChanged(SEATS[2], SEATS[1]))
    assert [seat and seat.name for seat in scenario.table.seats] == ["Mara", "Ben", None, None]
    scenario.refuses(TakeSeat(PLAYERS[1], "Ben", SEATS[0]), "seat_taken")


@pytest.mark.rule("R4")
def test_a_host_who_changes_seats_stays_host() -> None:
    scenario = seated(people=2)
    scenario.do(TakeSeat(PLAYERS[0], "Mara", SEATS[3]))
    assert scenario.table.host == 3


@pytest.mark.rule("R4")
def test_nobody_changes_seats_during_a_game() -> None:
    scenario = started(people=2)
    assert "middle of a game" in scenario.refuses(TakeSeat(PLAYERS[1], "Ben", SEATS[2]), "wrong_phase")


def test_taking_the_own_seat_changes_nothing() -> None:
    assert seated().do(TakeSeat(PLAYERS[1], "Ben", SEATS[1])) == ()


@pytest.mark.rule("R7")
def test_leaving_before_and_after_a_game_makes_the_seat_empty() -> None:
    for scenario in (seated(), over()):
        assert scenario.do(LeaveSeat(SEATS[2])) == (SeatLeft(SEATS[2]),)
        assert scenario.table.seats[2] is None
        assert scenario.do(LeaveSeat(SEATS[2])) == ()


@pytest.mark.rule("R8")
def test_the_next_person_clockwise_becomes_host() -> None:
    scenario = seated(people=3)
    scenario.do(SeatBot(SEATS[0], SEATS[3]), LeaveSeat(SEATS[1]), LeaveSeat(SEATS[0]))
    assert scenario.table.host == 2
    scenario.do(LeaveSeat(SEATS[2]))
    assert scenario.table.host is None
    scenario.do(TakeSeat("new", "Eve", SEATS[3]))
    assert scenario.table.host == 3


@pytest.mark.rule("R8")
def test_somebody_else_leaving_does_not_move_the_host() -> None:
    scenario = seated()
    scenario.do(LeaveSeat(SEATS[1]))
    assert scenario.table.host == 0


@pytest.mark.rule("R8")
def test_a_player_who_is_away_does_not_become_host() -> None:
    scenario = after_hands((490, 0))
    scenario.do(LeaveSeat(SEATS[1]))
    play_sweep(scenario, 12, 1, 1, 1)
    scenario.do(LeaveSeat(SEATS[0]))
    assert scenario.table.host == 2


@pytest.mark.rule("R9")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "at least one letter"),
        ("  \t ", "at least one letter"),
        ("x" * 25, "at most 24"),
        ("Ma\u202era", "invisible"),
        ("Ma\x00ra", "invisible"),
        ("Ma\ue000ra", "invisible"),
    ],
)
def test_a_name_that_cannot_be_read_is_refused(name, says) -> None:
    assert says in Scenario().refuses(OpenTable("HRTJK", CLASSIC, "p", name), "bad_name")
    assert says in seated(people=1).refuses(TakeSeat("q", name, SEATS[1]), "bad_name")


@pytest.mark.rule("R9")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [("x" * 24, "x" * 24), ("  Mara \n Lee ", "Mara Lee"), ("E\u0301va", "\u00c9va"), ("张伟 🂡", "张伟 🂡"), ("M", "M")],
)
def test_a_name_is_tidied(typed, shown) -> None:
    scenario = Scenario()
    scenario.do(OpenTable("HRTJK", CLASSIC, "p", typed))
    assert scenario.table.seats[0] is not None
    assert scenario.table.seats[0].name == shown


@pytest.mark.rule("R71")
def test_a_bot_plays_on_for_a_player_who_leaves() -> None:
    scenario = dealt()
    held = scenario.hand.held
    assert scenario.do(LeaveSeat(SEATS[1])) == (BotTookOver(SEATS[1]),)
    assert scenario.table.bot_level(SEATS[1]) is not None
    assert scenario.view(2).seats[1].away
    assert scenario.hand.held == held
    assert scenario.do(LeaveSeat(SEATS[1])) == ()


@pytest.mark.rule("R71")
def test_a_bot_takes_over_from_a_person_who_is_gone_and_from_nobody_else() -> None:
    scenario = dealt()
    assert scenario.do(TakeOver(SEATS[1])) == (BotTookOver(SEATS[1]),)
    assert scenario.do(TakeOver(SEATS[1])) == ()
    assert scenario.do(ReturnToSeat(SEATS[1])) == (PlayerReturned(SEATS[1]),)
    assert started(people=1).do(TakeOver(SEATS[2])) == ()
    assert seated(people=1).do(TakeOver(SEATS[2])) == ()


@pytest.mark.rule("R71")
def test_leaving_between_two_hands_is_leaving_during_the_game() -> None:
    assert started().do(LeaveSeat(SEATS[1])) == (BotTookOver(SEATS[1]),)


@pytest.mark.rule("R72")
def test_a_player_who_comes_back_has_the_cards_bid_and_tricks_of_the_seat() -> None:
    scenario = dealt("H A", "H 2", "H 3", "H 4")
    scenario.do(LeaveSeat(SEATS[0]))
    scenario.bid(4, 3, 2, 1)
    scenario.play("AH 2H 3H 4H")
    assert scenario.do(ReturnToSeat(SEATS[0])) == (PlayerReturned(SEATS[0]),)
    assert scenario.table.bot_level(SEATS[0]) is None
    view = scenario.view(0)
    assert (view.seats[0].bid, view.seats[0].taken, len(view.hand)) == (4, 1, 12)
    assert scenario.do(PlayCard(SEATS[0], view.legal_cards[0]))
    assert scenario.do(ReturnToSeat(SEATS[0])) == ()


@pytest.mark.rule("R73")
def test_a_bots_seat_is_taken_over_with_everything_on_it() -> None:
    scenario = started(people=1)
    scenario.do(DealHand(deal("H A", "H 2", "H 3", "H 4")))
    scenario.bid(4, 3, 2, 1)
    scenario.play("AH 2H")
    before = scenario.view(2)
    assert before.seats[2].kind == "bot"
    assert scenario.do(TakeSeat("new", "Eve", SEATS[2])) == (SeatTaken(SEATS[2], "Eve", "new"),)
    after = scenario.view(2)
    assert (after.seats[2].kind, after.seats[2].name, after.seats[2].bid) == ("person", "Eve", 2)
    assert (after.hand, after.legal_cards, after.turn) == (before.hand, before.legal_cards, 2)


@pytest.mark.rule("R74")
def test_a_host_who_left_a_game_is_not_host_after_coming_back() -> None:
    scenario = dealt()
    scenario.do(LeaveSeat(SEATS[1]), LeaveSeat(SEATS[0]))
    assert scenario.table.host == 2
    scenario.do(ReturnToSeat(SEATS[0]))
    assert scenario.table.host == 2


@pytest.mark.rule("R74")
def test_the_host_stays_host_while_everybody_is_away() -> None:
    scenario = dealt()
    for seat in SEATS:
        scenario.do(LeaveSeat(seat))
    assert scenario.table.host == 3
    scenario.do(ReturnToSeat(SEATS[1]))
    assert scenario.table.host == 1


@pytest.mark.rule("R74")
def test_a_person_who_sits_down_becomes_host_if_the_host_is_away() -> None:
    scenario = started(people=1)
    scenario.do(LeaveSeat(SEATS[0]))
    assert scenario.table.host == 0
    scenario.do(TakeSeat("new", "Eve", SEATS[2]))
    assert scenario.table.host == 2


def test_names_in_a_refusal_are_those_at_the_table() -> None:
    scenario = dealt()
    assert NAMES[0] in scenario.refuses(PlaceBid(SEATS[1], 3), "not_your_turn")
