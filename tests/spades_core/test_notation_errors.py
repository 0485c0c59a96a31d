"""An edited or damaged text of a game is refused, and the error names the line."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_core.cards import CARDS
from spades_core.notation import NotationError, read_game, write_game
from tests.scale import cases
from tests.spades_core.test_notation import GOLDEN, ONE_HAND, random_log

JOKERS, UNFINISHED = (
    next(path for path in GOLDEN if path.stem == stem).read_text("utf-8")
    for stem in ("blind_nil_and_jokers", "unfinished")
)


def refusal(text: str) -> NotationError:
    with pytest.raises(NotationError) as refused:
        read_game(text)
    return refused.value


def line_of(text: str, said: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if said in line)


EDITS = [
    ("another title", "notation 1", "notation 2", "a game begins with"),
    ("an unknown switch", "target=150", "goal=150", "goal: there is no such switch in this version"),
    ("a value no switch has", "target=150", "target=15", "target: it must be a whole number from 100 to 1000"),
    ("rules written in another way", "classic,target=150", "classic,floor=-200,target=150", "after the lines before"),
    ("rules that contradict themselves", "target=150", "bag_limit=off,bag_carry=reset", "without a bag limit"),
    ("nobody's kind of player", "hard bot    Otto", "hard robot  Otto", "a seat is played by one of player, easy bot,"),
    ("a bot without a level", "hard bot    Otto", "bot         Otto", "a seat is played by one of player, easy bot,"),
    ("a bot of no level", "hard bot    Otto", "mild bot    Otto", "a seat is played by one of player, easy bot,"),
    ("a seat without its column", "hard bot    Otto", "hard bot Otto", "expected 'West    hard bot    Otto'"),
    ("an unreadable name", "player      Ben", "player      B\u200ben", "invisible"),
    ("a name that is too long", "player      Ben", "player      " + "Ben" * 9, "at most 24 characters"),
    ("a seat twice", "South   player      Cleo", "East    player      Cleo", "expected 'South' here"),
    ("no such seat", "Dealer  North", "Dealer  Nowhere", "is not a seat"),
    ("another dealer of the game", "Dealer  North", "Dealer  East", "expected 'Hand 1, dealer East'"),
    ("another dealer of the hand", "Hand 1, dealer North", "Hand 1, dealer West", "after the lines before"),
    ("another number of the hand", "Hand 1,", "Hand 2,", "after the lines before"),
    ("a card dealt twice", "S Q975  H AJT", "S AQ97  H AJT", "AS is dealt twice"),
    ("a hand of twelve", "S Q975  H AJT", "S Q97   H AJT", "a hand has 13 cards, this one 12"),
    ("no such card", "S Q975  H AJT", "S Q9X5  H AJT", "'XS' is not a card"),
    ("a card of another deck", "S Q975  H AJT", "S B975  H AJT", "this deck has no BS"),
    ("suits in another order", "S Q975  H AJT ", "H AJT   S Q975", "a hand is its spades, hearts"),
    ("ranks in another order", "S Q975  H AJT", "S Q957  H AJT", "after the lines before"),
    ("a bid out of turn", "East 5, South 2", "South 2, East 5", "It is the turn of Ben"),
    ("a bid left out", "East 5, South 2", "East 5", "It is the turn of Cleo"),
    ("a fifth bid", "North 3\n", "North 3, East 4\n", "the bidding is over"),
    ("an impossible bid", "East 5,", "East 14,", "'14' is not a bid"),
    ("nil as a number", "West nil", "West 0", "'0' is not a bid"),
    ("a look at cards that lie open", "Bids    East 5", "Bids    East looks, East 5", "East looks changes nothing"),
    ("a blind bid on cards that lie open", "West nil", "West blind nil", "Blind nil is a bid of nil on a hand that"),
    ("a card of somebody else", "1  East   KC ", "1  East   9C ", "9C from East is refused: You do not hold 9C"),
    (
        "a card that does not follow",
        "1  East   KC   AC*  QC ",
        "1  East   KC   AC*  9H ",
        "9H from West is refused: You must follow clubs",
    ),
    ("a card that was played before", "4  North  AD*", "4  North  AH*", "AH from North"),
    ("no card at all", "1  East   KC ", "1  East   K  ", "'K' is not a card"),
    ("a trick of five", "TC*  4C   5C   7C", "TC*  4C   5C   7C   2H", "a trick has four cards, this one 5"),
    ("a trick of three", "TC*  4C   5C   7C", "TC*  4C   5C", "something is missing at the end"),
    ("a spade led too early", " 3  South  2H   3H   AH*  4H", " 3  South  3S   5H   5S*  2S", "Spades are not broken"),
    ("another winner", "KC   AC*  QC ", "KC*  AC   QC ", "after the lines before"),
    ("no winner", "KC   AC*  QC ", "KC   AC   QC ", "after the lines before"),
    ("another leader", " 2  South", " 2  East ", "expected trick 2 here, led by South"),
    ("another number of the trick", " 2  South", " 3  South", "expected trick 2 here"),
    ("another sum of tricks", "bid 5, took 8", "bid 5, took 7", "after the lines before"),
    ("other points", "   +50  contract", "   +60  contract", "expected '   +50"),
    ("another total", "now 53,", "now 63,", "after the lines before"),
    ("other bags", "3 bags", "2 bags", "after the lines before"),
    ("another result", "150 to 53", "150 to 54", "after the lines before"),
    ("another side that won", "East-West won", "North-South won", "after the lines before"),
    ("a finished game that says it is not", "East-West won 150 to 53 (target)", "unfinished", "after the lines before"),
    ("a line end of another system", "Rules   classic,target=150\n", "Rules   classic,target=150\r\n", "not '150"),
    ("a space at the end of a line", "dealer North\n", "dealer North \n", "after the lines before"),
    ("something after the end", "(target)\n", "(target)\nthanks\n", "nothing follows the end of the game"),
    ("an empty line after the end", "(target)\n", "(target)\n\n", "nothing follows the end of the game"),
    ("a last line without its end", "(target)\n", "(target)", "the line break after the last line is missing"),
]


@pytest.mark.parametrize(("edit", "before", "after", "problem"), EDITS, ids=[edit[0] for edit in EDITS])
def test_an_edited_game_is_refused(edit: str, before: str, after: str, problem: str) -> None:
    assert ONE_HAND.count(before) >= 1, edit
    edited = ONE_HAND.replace(before, after, 1)
    refused = refusal(edited)
    assert problem in str(refused)
    assert refused.text in edited


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("East 8D KD", "East 8D", "You pass two different cards"),
        ("East 8D KD", "East 8D 8D", "You pass two different cards"),
        ("East 8D KD", "East 8D 3C", "You do not hold 3C"),
        ("East 8D KD, West 4D 7H", "West 4D 7H, East 8D KD", "It is the turn of Ben"),
        ("East 8D KD, West 4D 7H", "East 8D KD", "something is missing at the end"),
        ("West looks, West 4", "West 4", "look at it before you bid"),
        ("C 75     face down", "C 75", "after the lines before"),
        ("East    away        Ben", "East    away        Benno", "after the lines before"),
        ("East    away        Ben", "East    player      Ben", "the seat cannot go from player to player"),
        ("East    away        Ben", "East    hard bot    Ben", "the seat cannot go from player to hard bot"),
        ("Dealer  West", "Dealer  North", "expected 'Hand 1, dealer North'"),
    ],
)
def test_an_edited_pass_look_or_seat_change_is_refused(before: str, after: str, problem: str) -> None:
    assert before in JOKERS
    assert problem in str(refusal(JOKERS.replace(before, after, 1)))


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("East    hard bot    Otto", "East    easy bot    Otto", "this changes nothing"),
        ("East    hard bot    Otto", "East    hard bot    Hugo", "expected 'East    hard bot    Otto'"),
        ("East    hard bot    Otto", "East    away        Otto", "the seat cannot go from easy bot to away"),
        ("\nHand 2", "\nEast    easy bot    Otto\nHand 2", "expected 'Hand 2"),
    ],
)
def test_an_edited_change_of_a_bots_level_is_refused(before: str, after: str, problem: str) -> None:
    assert before in UNFINISHED
    assert problem in str(refusal(UNFINISHED.replace(before, after, 1)))


def test_the_level_of_a_bot_that_changes_during_a_hand_is_refused() -> None:
    before, trick, after = UNFINISHED.partition("     1  ")
    text = f"{before}East    hard bot    Otto\n{trick}{after}"
    assert "You cannot change a bot's level during a hand" in str(refusal(text))


def test_a_game_cut_off_anywhere_is_refused() -> None:
    for length in range(len(ONE_HAND)):
        refusal(ONE_HAND[:length])


@pytest.mark.parametrize("text", [JOKERS, UNFINISHED], ids=["jokers", "unfinished"])
def test_a_game_cut_off_after_any_line_is_refused(text: str) -> None:
    lines = text.splitlines(keepends=True)
    for count in range(len(lines)):
        refusal("".join(lines[:count]))


@pytest.mark.parametrize("text", [ONE_HAND, JOKERS], ids=["one hand", "jokers"])
def test_a_game_that_lacks_a_line_is_refused_at_that_line_or_after_it(text: str) -> None:
    lines = text.split("\n")
    for at, line in enumerate(lines[:-1]):
        without = "\n".join(lines[:at] + lines[at + 1 :])
        if " away " in line or (" player " in line and at > 7):
            continue
        assert refusal(without).line > at


def test_a_game_of_bots_alone_is_refused() -> None:
    text = UNFINISHED.replace(" player      ", " easy bot    ")
    assert "a game needs somebody who is no bot" in str(refusal(text))


def test_the_host_is_a_person_if_the_host_leads_first() -> None:
    text = JOKERS.replace("North   player      Anna", "North   easy bot    Anna", 1)
    assert "by these rules North would be host" in str(refusal(text))


def test_quoted_text_cannot_disturb_a_terminal() -> None:
    said = str(refusal("\x1b[2J" * 1000))
    assert said.isprintable()
    assert len(said) < 250


@settings(max_examples=cases(100, 300), deadline=None)
@given(text=st.text())
def test_any_text_is_refused(text: str) -> None:
    refusal(text)


@settings(max_examples=cases(100, 300), deadline=None)
@given(data=st.data(), text=st.sampled_from([ONE_HAND, JOKERS, UNFINISHED]))
def test_any_text_after_the_beginning_of_a_game_is_refused(data: st.DataObject, text: str) -> None:
    lines = text.split("\n")
    kept = lines[: data.draw(st.integers(0, len(lines) - 2))]
    label = data.draw(st.sampled_from(["", *(line[:8] for line in lines)]))
    edited = "\n".join((*kept, label + data.draw(st.text())))
    if edited not in (text, text.rstrip("\n")):
        refusal(edited)


def random_edit(text: str, rng: Random) -> str:
    """Edit a text in one place: a line, a card, a digit or a letter."""
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    cards = [at for at in range(len(text) - 1) if text[at : at + 2] in CARDS]
    digits = [at for at, letter in enumerate(text) if letter.isdigit()]
    at, second = (rng.choice(cards), rng.choice(cards)) if cards else (0, 0)
    first, second = sorted((at, second))
    digit, letter = rng.choice(digits), rng.randrange(len(text))
    match rng.randrange(8):
        case 0:
            return "\n".join(lines[:one] + lines[one + 1 :])
        case 1:
            return "\n".join((*lines[:one], lines[other], *lines[one:]))
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
            return "\n".join(lines)
        case 3:
            return text[:at] + rng.choice(CARDS) + text[at + 2 :]
        case 4 if second > first + 1:
            swapped = text[second : second + 2] + text[first + 2 : second] + text[first : first + 2]
            return text[:first] + swapped + text[second + 2 :]
        case 5:
            return text[:digit] + rng.choice("0123456789") + text[digit + 1 :]
        case 6:
            return text[:letter] + text[letter + 1 :]
        case _:
            return text[:letter] + rng.choice("AKQJT98 *-,\nBLSHDCé") + text[letter + 1 :]


@settings(max_examples=cases(40, 150), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_changed_text_is_refused_or_is_another_game_that_round_trips(seed: int) -> None:
    log, rng = random_log(seed)
    text = write_game(log)
    for _ in range(10):
        edited = random_edit(text, rng)
        try:
            game = read_game(edited)
        except NotationError:
            continue
        assert write_game(game.events) == edited
