"""The options that name a store, shared by the commands that use one."""

import argparse
import os
from pathlib import Path

from server.cli.output import CommandError
from server.settings import Settings


def add_store_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--redis",
        metavar="URL",
        default=os.environ.get("SPADES_REDIS") or None,
        help="the Redis or Valkey that keeps the tables, as in redis://user:password@host:6379/0, "
        "redis+sentinel://host:26379,host:26379/service or redis+cluster://host:6379,host:6379 "
        "(default: an embedded store in the data folder)",
    )
    command.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=Path(os.environ.get("SPADES_DATA") or Settings().data),
        help="folder of the embedded store (default: %(default)s)",
    )


def data_folder(options: argparse.Namespace) -> Path:
    """Return the absolute path of `--data`. Raises CommandError if it names an unknown user."""
    path: Path = options.data
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise CommandError(f"the data folder cannot be {path}: there is no user of that name") from None
