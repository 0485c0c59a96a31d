"""`spades arena`: measure bots against each other and count their blunders."""

import argparse
import json
import signal
from collections.abc import Callable
from typing import Any

from arena.blunders.blunder_report import (
    all_passed,
    blunder_figures,
    blunder_text,
    hidden_card_figures,
    hidden_card_text,
)
from arena.blunders.scenarios import run_scenarios, trials_for
from arena.ladder import ladder_text, play_ladder
from arena.match import Match, play_match
from arena.players import BotLoadError
from arena.report import match_figures, match_text
from server.cli.output import CommandError, write_output
from server.settings import usable_cores
from spades_core.bots import LEVELS
from spades_core.ruleset import RuleSet, RuleSetError, parse_rules

DRAWN = "drawn"
DEALS = 400
HANDS = 10_000
MAX_COUNT = 10_000_000
"""Of deals, games, hands or positions: more would only be a typing mistake."""
BOT_HELP = f"{', '.join(LEVELS)}, random, expert:40 for 40 worlds, expert:150ms, or module:name for your own"
EPILOG = "docs/bots.md explains what is measured and how, and how to write a bot."
MATCH_DEFAULTS: dict[str, object] = {
    "a": None,
    "b": None,
    "games": None,
    "first": 0,
    "rules": RuleSet().preset,
    "scores": "zero",
}
"""The options of a match that the commands do not take."""


def add_arena(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run, measure=_match, deals=DEALS, seed="1", processes=usable_cores(), **MATCH_DEFAULTS)
    parser.description = "Let bots play each other, each deal twice with sides swapped, and report the lead."
    parser.epilog = EPILOG
    parser.add_argument("--a", metavar="BOT", help=f"{BOT_HELP}; two partners as in hard+medium")
    parser.add_argument("--b", metavar="BOT", help="the bots of the other side")
    amount = parser.add_mutually_exclusive_group()
    _add_deals(amount, "single deals")
    amount.add_argument("--games", type=_positive, metavar="N", help="whole games instead, each played twice")
    parser.add_argument(
        "--first", type=_natural, metavar="N", help="number of the first deal or game (default: %(default)s)"
    )
    parser.add_argument("--rules", metavar="RULES", help="as in classic,target=300; drawn: random for each deal")
    parser.add_argument(
        "--scores", choices=("zero", DRAWN), help="drawn: random, from anywhere in a game (default: %(default)s)"
    )
    _add_common(parser)
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", title="instead of a match")
    ladder = _add_command(commands, _ladder, "ladder", "let every level play the one below it")
    _add_deals(ladder, "single deals per match")
    blunders = _add_command(
        commands, _blunders, "blunders", "count how often a bot makes decisions that no good partner makes"
    )
    blunders.add_argument("--bot", metavar="BOT", required=True, help=BOT_HELP)
    blunders.add_argument(
        "--hands",
        type=_positive,
        metavar="N",
        default=HANDS,
        help="hands of the bot with itself; staged hands in proportion (default: %(default)s)",
    )
    hidden = _add_command(
        commands,
        _hidden_cards,
        "hidden-cards",
        "test whether a bot's decisions depend on hidden cards",
    )
    hidden.add_argument("--bot", metavar="BOT", required=True, help=BOT_HELP)
    hidden.add_argument(
        "--positions", type=_positive, metavar="N", default=HANDS, help="each of another hand (default: %(default)s)"
    )


def _add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    measure: Callable[[argparse.Namespace], int],
    name: str,
    summary: str,
) -> argparse.ArgumentParser:
    """Add a command; options that are not given keep the values given before the command."""
    description = f"{summary[0].upper()}{summary[1:]}."
    parser = commands.add_parser(
        name, help=summary, description=description, epilog=EPILOG, argument_default=argparse.SUPPRESS
    )
    parser.set_defaults(measure=measure)
    _add_common(parser)
    return parser


def _add_deals(parser: argparse._ActionsContainer, what: str) -> None:
    parser.add_argument("--deals", type=_positive, metavar="N", help=f"{what}, each played twice (default: {DEALS})")


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="SEED",
        help="seed of the deals: a whole number for reporting, any other word for tuning (default: 1)",
    )
    parser.add_argument(
        "--processes",
        type=_processes,
        metavar="N",
        help=f"number of parallel processes; does not change results (default: all cores, {usable_cores()})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit status. Raises CommandError."""
    for name, default in MATCH_DEFAULTS.items():
        if options.command and getattr(options, name) != default:
            raise CommandError(f"--{name} is an option of a match, not of {options.command}")
    measure: Callable[[argparse.Namespace], int] = options.measure
    try:
        return measure(options)
    except (BotLoadError, RuleSetError) as error:
        raise CommandError(str(error)) from None


def _match(options: argparse.Namespace) -> int:
    if not options.a or not options.b:
        raise CommandError("the arena needs two sides: --a BOT and --b BOT, as in --a hard --b medium")
    rules = None if options.rules == DRAWN else parse_rules(options.rules)
    games, count = options.games is not None, options.games or options.deals
    match = Match(options.a, options.b, options.seed, games, rules, options.scores == DRAWN)
    stats, complete = play_match(match, options.first, count, options.processes)
    figures = match_figures(match, options.first, count, stats)
    _print(options, figures, match_text(figures))
    return _status(complete=complete)


def _ladder(options: argparse.Namespace) -> int:
    rungs, complete = play_ladder(options.seed, options.deals, options.processes)
    _print(options, rungs, ladder_text(rungs, options.seed, options.deals, complete=complete))
    return _status(complete=complete)


def _blunders(options: argparse.Namespace) -> int:
    trials = trials_for(options.hands)
    counts, complete = run_scenarios(options.bot, options.seed, trials, options.processes)
    about = options.bot, options.seed, options.hands, sum(trials.values()), counts
    _print(options, blunder_figures(*about), blunder_text(*about))
    return _status(complete=complete, passed=all_passed(counts))


def _hidden_cards(options: argparse.Namespace) -> int:
    counts, complete = run_scenarios(options.bot, options.seed, {"swaps": options.positions}, options.processes)
    about = options.bot, options.seed, options.positions, counts
    _print(options, hidden_card_figures(*about), hidden_card_text(*about))
    return _status(complete=complete, passed=not counts.occurrences["hidden"] and not counts.stats.faults)


def _print(options: argparse.Namespace, figures: Any, text: str) -> None:
    write_output(json.dumps(figures, indent=2) + "\n" if options.json else text, "the result")


def _status(*, complete: bool, passed: bool = True) -> int:
    return 128 + signal.SIGINT if not complete else int(not passed)


def _positive(text: str) -> int:
    number = _natural(text)
    if number == 0:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _processes(text: str) -> int:
    number, most = _positive(text), 4 * usable_cores()
    if number > most:
        raise argparse.ArgumentTypeError(f"must be {most} at most, four per core")
    return number


def _seed(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("must be a number or a word")
    return text


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text[:24]!r}")
    if len(text) > len(str(MAX_COUNT)) or int(text) > MAX_COUNT:
        raise argparse.ArgumentTypeError(f"must be {MAX_COUNT} at most")
    return int(text)
