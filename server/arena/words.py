"""The words of `spades arena`, and what they make it do."""

import argparse
import os
import signal

from server.arena import run
from server.arena.ladder import climb
from server.arena.match import Match
from server.arena.players import NoSuchBot
from spades_core.ruleset import BadRules, RuleSet, parse_rules

DRAWN = "drawn"
DEALS = 400
HANDS = 10_000


class BadWords(Exception):
    """What is wrong with how the arena was called, in one sentence."""


def add_arena(arena: argparse.ArgumentParser) -> None:
    arena.set_defaults(run=_run)
    arena.add_argument("--a", metavar="BOT", help="a level, random, module:name, or two partners as in hard+medium")
    arena.add_argument("--b", metavar="BOT", help="the bots of the other side")
    amount = arena.add_mutually_exclusive_group()
    amount.add_argument(
        "--deals",
        type=_positive,
        metavar="N",
        default=DEALS,
        help="single deals, each played twice (default: %(default)s)",
    )
    amount.add_argument("--games", type=_positive, metavar="N", help="whole games instead, each played twice")
    arena.add_argument(
        "--first", type=_natural, metavar="N", default=0, help="number of the first deal or game (default: %(default)s)"
    )
    arena.add_argument(
        "--rules", metavar="RULES", default=RuleSet().preset, help="as in classic,target=300; drawn: others each time"
    )
    arena.add_argument(
        "--scores",
        choices=("zero", DRAWN),
        default="zero",
        help="drawn: from anywhere in a game (default: %(default)s)",
    )
    _add_common(arena)
    words = arena.add_subparsers(metavar="COMMAND", dest="word")
    ladder = words.add_parser("ladder", help="every level against the one below it")
    ladder.add_argument(
        "--deals", type=_positive, metavar="N", default=DEALS, help="each played twice (default: %(default)s)"
    )
    _add_common(ladder)
    nevers = words.add_parser("nevers", help="hold a bot to what a bot never does")
    nevers.add_argument("--bot", metavar="BOT", required=True, help="a level, random or module:name")
    nevers.add_argument(
        "--hands", type=_positive, metavar="N", default=HANDS, help="of the bot with itself (default: %(default)s)"
    )
    _add_common(nevers)


def _add_common(word: argparse.ArgumentParser) -> None:
    word.add_argument(
        "--seed",
        metavar="NAME",
        default="1",
        help="the family of deals: a whole number for reporting, any other word for tuning (default: %(default)s)",
    )
    word.add_argument(
        "--processes", type=_positive, metavar="N", default=_cores(), help="at the same time (default: %(default)s)"
    )
    word.add_argument("--json", action="store_true", help="for programs")


def _run(options: argparse.Namespace) -> int:
    """The status of the command. Raises BadWords, CannotPrint."""
    try:
        match options.word:
            case "nevers":
                return _nevers(options)
            case "ladder":
                return _ladder(options)
            case _:
                return _match(options)
    except (NoSuchBot, BadRules) as problem:
        raise BadWords(str(problem)) from None


def _match(options: argparse.Namespace) -> int:
    if not options.a or not options.b:
        raise BadWords("the arena needs two sides: --a BOT and --b BOT, as in --a hard --b medium")
    rules = None if options.rules == DRAWN else parse_rules(options.rules)
    games = options.games is not None
    match = Match(options.a, options.b, options.seed, games, rules, options.scores == DRAWN)
    asked = run.Asked(options.first, options.games or options.deals, options.processes, options.json)
    return 0 if run.compete(match, asked) else 128 + signal.SIGINT


def _ladder(options: argparse.Namespace) -> int:
    asked = run.Asked(0, options.deals, options.processes, options.json)
    return 0 if climb(options.seed, asked) else 128 + signal.SIGINT


def _nevers(options: argparse.Namespace) -> int:
    held = run.hold_to_nevers(options.bot, options.seed, options.hands, options.processes, in_json=options.json)
    return 0 if held else 1


def _positive(text: str) -> int:
    number = _natural(text)
    if number == 0:
        raise argparse.ArgumentTypeError("it is 1 or more")
    return number


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"it is a whole number, not {text[:24]!r}")
    return int(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
