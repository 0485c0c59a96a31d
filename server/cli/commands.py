"""The command `spades`: words in, one plain sentence out when something is wrong, never a traceback."""

import argparse
import errno
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import segno

from server import __version__
from server.cli import archive
from server.cli.arena import UsageError, add_arena
from server.cli.output import CannotPrint
from server.cli.replay import CannotReplay, replay
from server.runtime import app, process, workers
from server.runtime.logs import configure_logging
from server.settings import InvalidSetting, Settings, number_from
from server.store.log import StoreError


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except (UsageError, CannotPrint) as problem:
        return _fail(str(problem))


def _serve_word(options: argparse.Namespace) -> int:
    configure_logging(options.log_level)
    try:
        process.run(partial(_serve, _settings(options)))
    except (InvalidSetting, StoreError, workers.WorkerStartError) as problem:
        return _fail(str(problem))
    except OSError as problem:
        return _fail(_sentence(problem, options.host, options.port))
    return 0


def _replay_word(options: argparse.Namespace) -> int:
    try:
        replay(options.file, quiet=options.quiet)
    except (CannotReplay, CannotPrint) as problem:
        return _fail(str(problem))
    except KeyboardInterrupt:  # somebody who did not mean to type a game
        return 128 + signal.SIGINT
    return 0


def _archive_word(options: argparse.Namespace) -> int:
    configure_logging("warning")
    try:
        settings = Settings(redis=options.redis, data=_folder(options.data))
        if options.word == "list":
            archive.list_games(settings, as_json=options.json)
            return 0
        problems = archive.export(settings, options.names, options.to)
    except (InvalidSetting, StoreError, CannotPrint, archive.CannotExport) as problem:
        return _fail(str(problem))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return max(map(_fail, problems), default=0)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spades", description="Play Spades with friends.")
    parser.add_argument("--version", action="version", version=f"Fourth Seat {__version__}")
    words = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = words.add_parser("serve", help="serve the game to browsers and other clients")
    serve.set_defaults(run=_serve_word)
    _add_serve_options(serve)
    again = words.add_parser("replay", help="check a game written in notation and print it card by card")
    again.set_defaults(run=_replay_word)
    again.add_argument("file", metavar="FILE", help="the game; - reads standard input")
    again.add_argument("--quiet", action="store_true", help="only check it, and say in a line what it was")
    finished = words.add_parser("archive", help="list the games that are finished, and export them as files")
    finished.set_defaults(run=_archive_word)
    _add_archive_words(finished.add_subparsers(required=True, metavar="COMMAND", dest="word"))
    add_arena(words.add_parser("arena", help="let bots play each other, and measure how well they do"))
    return parser


def _add_archive_words(words: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    listing = words.add_parser("list", help="all finished games, the newest first")
    listing.add_argument("--json", action="store_true", help="for programs")
    export = words.add_parser("export", help="write finished games out, each as NAME.spades, for spades replay")
    which = export.add_mutually_exclusive_group(required=True)
    which.add_argument("names", nargs="*", metavar="NAME", default=[], help="games, as named in the list")
    which.add_argument("--all", action="store_true", help="every finished game")
    export.add_argument(
        "--to", metavar="DIR", default=".", help="the folder for the files; - prints one game (default: this folder)"
    )
    for word in (listing, export):
        _add_store_options(word)


def _add_store_options(word: argparse.ArgumentParser) -> None:
    word.add_argument(
        "--redis",
        metavar="URL",
        default=os.environ.get("SPADES_REDIS") or None,
        help="the Redis or Valkey that keeps the tables, as in redis://user:password@host:6379/0, "
        "redis+sentinel://host:26379,host:26379/service or redis+cluster://host:6379,host:6379; "
        "without it the server runs one of its own in the data folder",
    )
    word.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=Path(os.environ.get("SPADES_DATA") or Settings().data),
        help="folder of the server's own store (default: %(default)s)",
    )


def _add_serve_options(serve: argparse.ArgumentParser) -> None:
    defaults = Settings()
    environment = os.environ
    serve.add_argument(
        "--host",
        default=environment.get("SPADES_HOST") or defaults.host,
        help="address to listen on; 0.0.0.0 for the whole network (default: %(default)s)",
    )
    serve.add_argument(
        "--port",
        type=int,
        default=environment.get("SPADES_PORT") or defaults.port,
        help="port to listen on; 0 takes a free one (default: %(default)s)",
    )
    _add_store_options(serve)
    serve.add_argument(
        "--workers",
        type=int,
        metavar="N",
        default=environment.get("SPADES_WORKERS") or defaults.workers,
        help="how many processes share the port; --workers $(nproc) uses every core (default: %(default)s)",
    )
    serve.add_argument(
        "--expert-workers",
        type=int,
        metavar="N",
        default=environment.get("SPADES_EXPERT_WORKERS") or defaults.expert_workers,
        help="number of processes for the decisions of expert bots, shared among the workers (default: one per core)",
    )
    serve.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default=defaults.log_level)


def _settings(options: argparse.Namespace) -> Settings:
    defaults = Settings()
    return Settings(
        host=options.host,
        port=options.port,
        redis=options.redis,
        data=_folder(options.data),
        workers=options.workers,
        expert_workers=options.expert_workers,
        log_level=options.log_level,
        pace=number_from(os.environ, "SPADES_PACE", defaults.pace),
        away_seconds=number_from(os.environ, "SPADES_AWAY_SECONDS", defaults.away_seconds),
        requests_per_second=number_from(os.environ, "SPADES_REQUESTS_PER_SECOND", defaults.requests_per_second),
    )


def _folder(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise InvalidSetting(f"the data folder cannot be {path}: nobody of that name is known here") from None


async def _serve(settings: Settings, shutdown: process.Shutdown) -> None:
    run = app.run if settings.workers == 1 else workers.run
    await run(settings, lambda port: _announce(settings.host, port), shutdown.requested)


def _announce(host: str, port: int) -> None:
    """Where to go: for this machine and, when the whole network may come, for the phone."""
    everywhere = host in ("", "0.0.0.0", "::")
    shown = "localhost" if everywhere else f"[{host}]" if ":" in host else host
    lines = [f"Open http://{shown}:{port}/ to play."]
    own = _own_address() if everywhere else None
    if own is not None:
        address = f"http://{own}:{port}/"
        lines.append(f"On a phone in the same network: {address}")
        if sys.stdout.isatty():
            print("\n".join(lines), flush=True)
            segno.make(address, error="l").terminal(compact=True, border=2)
            return
    print("\n".join(lines), flush=True)


def _own_address() -> str | None:
    """This machine's address in its network; connecting a datagram socket only picks a route, it sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        own = str(probe.getsockname()[0])
    return None if own.startswith("127.") else own


def _sentence(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return (
            f"port {port} on {host} is in use; stop the other program or choose another port with --port or SPADES_PORT"
        )
    if problem.errno == errno.EACCES:
        return f"port {port} may not be used by this user; choose one above 1023 with --port"
    if problem.errno == errno.EADDRNOTAVAIL or isinstance(problem, socket.gaierror):
        return f"this machine has no address {host}; see --host"
    return str(problem)


def _fail(sentence: str) -> int:
    print(f"spades: {sentence}", file=sys.stderr)
    return 1
