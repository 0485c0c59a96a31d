"""The command line of `spades`. Errors are printed as one sentence, without a traceback."""

import argparse
import signal
from collections.abc import Callable, Sequence

from server import __version__
from server.cli.archive import add_archive
from server.cli.arena import add_arena
from server.cli.output import CommandError, print_error
from server.cli.replay import add_replay
from server.cli.serve import add_serve
from server.settings import InvalidSetting
from server.store.log import StoreError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    options = parser().parse_args(arguments)
    run_command: Callable[[argparse.Namespace], int] = options.run
    try:
        return run_command(options)
    except (CommandError, InvalidSetting, StoreError) as problem:
        print_error(problem)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def parser() -> argparse.ArgumentParser:
    """Return the parser; the options of each command set `run` to the function that runs it."""
    parser = argparse.ArgumentParser(prog="spades", description="Play Spades with friends.")
    parser.add_argument("--version", action="version", version=f"Fourth Seat {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_serve(commands.add_parser("serve", help="serve the game to browsers and other clients"))
    add_replay(commands.add_parser("replay", help="check a game in notation and print it card by card"))
    add_archive(commands.add_parser("archive", help="list finished games and export them as files"))
    add_arena(commands.add_parser("arena", help="let bots play each other and measure their strength"))
    return parser
