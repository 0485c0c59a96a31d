"""`spades serve`: run a server, and print where to play."""

import argparse
import errno
import os
import socket
import sys
from functools import partial

import segno

from server.cli.output import CommandError
from server.cli.store_options import add_store_options, data_folder
from server.runtime import app, process, workers
from server.runtime.logs import configure_logging
from server.settings import Settings, number_from


def add_serve(command: argparse.ArgumentParser) -> None:
    defaults, environment = Settings(), os.environ
    command.add_argument(
        "--host",
        default=environment.get("SPADES_HOST") or defaults.host,
        help="address to listen on; 0.0.0.0 for the whole network (default: %(default)s)",
    )
    command.add_argument(
        "--port",
        type=int,
        default=environment.get("SPADES_PORT") or defaults.port,
        help="port to listen on; 0 for any free port (default: %(default)s)",
    )
    add_store_options(command)
    command.add_argument(
        "--workers",
        type=int,
        metavar="N",
        default=environment.get("SPADES_WORKERS") or defaults.workers,
        help="number of processes that share the port; --workers $(nproc) uses every core (default: %(default)s)",
    )
    command.add_argument(
        "--expert-workers",
        type=int,
        metavar="N",
        default=environment.get("SPADES_EXPERT_WORKERS") or defaults.expert_workers,
        help="number of processes for the decisions of expert bots, shared among the workers (default: one per core)",
    )
    command.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default=defaults.log_level)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until the process is stopped. Raises CommandError, InvalidSetting, StoreError."""
    configure_logging(options.log_level)
    try:
        process.run(partial(_serve, _settings(options)))
    except workers.WorkerStartError as problem:
        raise CommandError(str(problem)) from None
    except OSError as problem:
        raise CommandError(_describe(problem, options.host, options.port)) from None
    return 0


def _settings(options: argparse.Namespace) -> Settings:
    defaults = Settings()
    return Settings(
        host=options.host,
        port=options.port,
        redis=options.redis,
        data=data_folder(options),
        workers=options.workers,
        expert_workers=options.expert_workers,
        log_level=options.log_level,
        pace=number_from(os.environ, "SPADES_PACE", defaults.pace),
        away_seconds=number_from(os.environ, "SPADES_AWAY_SECONDS", defaults.away_seconds),
        requests_per_second=number_from(os.environ, "SPADES_REQUESTS_PER_SECOND", defaults.requests_per_second),
    )


async def _serve(settings: Settings, shutdown: process.Shutdown) -> None:
    serve = app.run if settings.workers == 1 else workers.run
    await serve(settings, lambda port: _announce(settings.host, port), shutdown.requested)


def _announce(host: str, port: int) -> None:
    """Print the URL of the game; for a server of the whole network also the one for phones, with a QR code."""
    everywhere = host in ("", "0.0.0.0", "::")
    shown = "localhost" if everywhere else f"[{host}]" if ":" in host else host
    print(f"Open http://{shown}:{port}/ to play.", flush=True)
    address = _network_address() if everywhere else None
    if address is not None:
        url = f"http://{address}:{port}/"
        print(f"On a phone on the same network: {url}", flush=True)
        if sys.stdout.isatty():
            segno.make(url, error="l").terminal(compact=True, border=2)


def _network_address() -> str | None:
    """Return this machine's address in its network. Connecting a datagram socket picks a route and sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") else address


def _describe(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return (
            f"port {port} on {host} is in use; stop the other program or choose another port with --port or SPADES_PORT"
        )
    if problem.errno == errno.EACCES:
        return f"port {port} may not be used by this user; choose one above 1023 with --port"
    if problem.errno == errno.EADDRNOTAVAIL or isinstance(problem, socket.gaierror):
        return f"this machine has no address {host}; see --host"
    return str(problem)
