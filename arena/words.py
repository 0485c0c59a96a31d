"""The words of `spades arena`, and what they make it do."""

import argparse
import os
import signal

from arena import run
from arena.ladder import climb
from arena.match import Match
from arena.players import NoSuchBot
from arena.verdict import all_held
from spades_core.bots import LEVELS
from spades_core.ruleset import RuleSet, RuleSetError, parse_rules

DRAWN = "drawn"
DEALS = 400
HANDS = 10_000
MOST = 10_000_000
"""Of anything: more would only be a slip of the finger."""
A_BOT = f"{', '.join(LEVELS)}, random, expert:40 for 40 worlds, expert:150ms, or module:name for one of your own"
MORE = "docs/bots.md tells what is measured and how, and how to write a bot."
ONLY_IN_MATCHES: dict[str, object] = {
    "a": None,
    "b": None,
    "games": None,
    "first": 0,
    "rules": RuleSet().preset,
    "scores": "zero",
}
"""What the other words do not know, with what stands there when nobody says anything."""


class BadWords(Exception):
    """What is wrong with how the arena was called, in one sentence."""


def add_arena(arena: argparse.ArgumentParser) -> None:
    arena.set_defaults(run=_run, deals=DEALS, seed="1", processes=_cores(), **ONLY_IN_MATCHES)
    arena.description = "Let bots play each other, every deal twice with sides swapped, and say who is how far ahead."
    arena.epilog = MORE
    arena.add_argument("--a", metavar="BOT", help=f"{A_BOT}; two partners as in hard+medium")
    arena.add_argument("--b", metavar="BOT", help="the bots of the other side")
    amount = arena.add_mutually_exclusive_group()
    _add_deals(amount, "single deals")
    amount.add_argument("--games", type=_positive, metavar="N", help="whole games instead, each played twice")
    arena.add_argument(
        "--first", type=_natural, metavar="N", help="number of the first deal or game (default: %(default)s)"
    )
    arena.add_argument("--rules", metavar="RULES", help="as in classic,target=300; drawn: others each time")
    arena.add_argument(
        "--scores", choices=("zero", DRAWN), help="drawn: from anywhere in a game (default: %(default)s)"
    )
    _add_common(arena)
    words = arena.add_subparsers(metavar="COMMAND", dest="word", title="instead of a match")
    ladder = _add_word(words, "ladder", "let every level play the one below it")
    _add_deals(ladder, "single deals for each step")
    nevers = _add_word(words, "nevers", "put a bot where it could do what a bot never does, and count whether it does")
    nevers.add_argument("--bot", metavar="BOT", required=True, help=A_BOT)
    nevers.add_argument(
        "--hands",
        type=_positive,
        metavar="N",
        default=HANDS,
        help="of the bot with itself, and staged ones in proportion (default: %(default)s)",
    )
    swap = _add_word(words, "swap", "look whether a bot chooses otherwise when cards it cannot see are dealt otherwise")
    swap.add_argument("--bot", metavar="BOT", required=True, help=A_BOT)
    swap.add_argument(
        "--positions", type=_positive, metavar="N", default=HANDS, help="each of another hand (default: %(default)s)"
    )


def _add_word(
    words: "argparse._SubParsersAction[argparse.ArgumentParser]", word: str, does: str
) -> argparse.ArgumentParser:
    """What it does not say itself stays as it was said, or not, before the word."""
    sentence = f"{does[0].upper()}{does[1:]}."
    parser = words.add_parser(word, help=does, description=sentence, epilog=MORE, argument_default=argparse.SUPPRESS)
    _add_common(parser)
    return parser


def _add_deals(word: argparse._ActionsContainer, what: str) -> None:
    word.add_argument("--deals", type=_positive, metavar="N", help=f"{what}, each played twice (default: {DEALS})")


def _add_common(word: argparse.ArgumentParser) -> None:
    word.add_argument(
        "--seed",
        type=_family,
        metavar="NAME",
        help="the family of deals: a whole number for reporting, any other word for tuning (default: 1)",
    )
    word.add_argument(
        "--processes",
        type=_processes,
        metavar="N",
        help=f"at the same time; changes no result (default: all cores, {_cores()})",
    )
    word.add_argument("--json", action="store_true", help="for programs")


def _run(options: argparse.Namespace) -> int:
    """The status of the command. Raises BadWords, CannotPrint."""
    for name, unsaid in ONLY_IN_MATCHES.items():
        if options.word and getattr(options, name) != unsaid:
            raise BadWords(f"--{name} is for matches; {options.word} does not know it")
    try:
        match options.word:
            case "nevers":
                return _nevers(options)
            case "swap":
                return _swap(options)
            case "ladder":
                return _ladder(options)
            case _:
                return _match(options)
    except (NoSuchBot, RuleSetError) as problem:
        raise BadWords(str(problem)) from None
    except KeyboardInterrupt:  # before the first was played, or after the last
        return _status(complete=False)


def _match(options: argparse.Namespace) -> int:
    if not options.a or not options.b:
        raise BadWords("the arena needs two sides: --a BOT and --b BOT, as in --a hard --b medium")
    rules = None if options.rules == DRAWN else parse_rules(options.rules)
    games = options.games is not None
    match = Match(options.a, options.b, options.seed, games, rules, options.scores == DRAWN)
    asked = run.Asked(options.first, options.games or options.deals, options.processes, options.json)
    return _status(run.compete(match, asked))


def _ladder(options: argparse.Namespace) -> int:
    asked = run.Asked(0, options.deals, options.processes, options.json)
    return _status(climb(options.seed, asked))


def _nevers(options: argparse.Namespace) -> int:
    found, complete = run.hold_to_nevers(
        options.bot, options.seed, options.hands, options.processes, in_json=options.json
    )
    return _status(complete, good=all_held(found))


def _swap(options: argparse.Namespace) -> int:
    found, complete = run.swap_unseen(
        options.bot, options.seed, options.positions, options.processes, in_json=options.json
    )
    return _status(complete, good=not found.done["unseen"] and not found.tally.faults)


def _status(complete: bool, good: bool = True) -> int:
    if not complete:
        return 128 + signal.SIGINT
    return 0 if good else 1


def _positive(text: str) -> int:
    number = _natural(text)
    if number == 0:
        raise argparse.ArgumentTypeError("it is 1 or more")
    return number


def _processes(text: str) -> int:
    number, most = _positive(text), 4 * _cores()
    if number > most:
        raise argparse.ArgumentTypeError(f"it is {most} at most: more than cores only get in each other's way")
    return number


def _family(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("it is a number or a word")
    return text


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"it is a whole number, not {text[:24]!r}")
    if len(text) > len(str(MOST)) or int(text) > MOST:
        raise argparse.ArgumentTypeError(f"it is {MOST} at most")
    return int(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
