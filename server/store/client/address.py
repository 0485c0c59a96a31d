"""The address of the store and the connection options of each of its servers.

Invariant: an invalid address is refused before any connection is made; the error
lists the valid forms and shows nothing of the address.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.store.log import StoreError

_INVALID = (
    "the address of the store is not valid: use redis://HOST:PORT, rediss:// for TLS, unix:///PATH, "
    "redis+sentinel://HOST:PORT,HOST:PORT/SERVICE or redis+cluster://HOST:PORT,HOST:PORT"
)
_MULTIPLE_HOSTS = re.compile(
    r"(?P<scheme>rediss?)\+(?P<kind>sentinel|cluster)://(?:(?P<user>[^/?#]*)@)?(?P<hosts>[^/?#@]+)"
    r"(?:/(?P<path>[^?#]*))?(?:\?(?P<query>[^#]*))?"
)
_DEFAULT_PORTS = {"sentinel": 26379, "cluster": 6379}

Options = Mapping[str, Any]
"""Options of a redis-py connection."""


@dataclass(frozen=True, slots=True)
class Address:
    """`options` connect to a server of the store; `seeds` are the hosts and ports listed, none for a single server."""

    kind: Literal["single", "sentinel", "cluster"]
    options: Options
    seeds: tuple[tuple[str, int], ...] = ()
    service: str = ""
    sentinel: Options = field(default_factory=dict)
    """Options to connect to a Sentinel."""

    def __post_init__(self) -> None:
        for options in (self.options, self.sentinel):
            # redis-py detects unknown options only when it makes a connection.
            ConnectionPool(**options).make_connection()  # type: ignore[no-untyped-call]


def parse_address(url: str, *, timeout_s: float) -> Address:
    """Parse the address of a store. Raises StoreError if it is not valid."""
    common = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "protocol": 2,
        "retry": Retry(NoBackoff(), 0),  # RedisLog retries, within a time limit
    }
    try:
        found = _MULTIPLE_HOSTS.fullmatch(url)
        return Address("single", common | parse_url(url)) if found is None else _parse_multiple(found, common)
    except (ValueError, TypeError, AttributeError, RedisError) as error:
        raise StoreError(_INVALID) from error


def _parse_multiple(found: re.Match[str], common: dict[str, Any]) -> Address:
    kind, user = found["kind"], f"{found['user']}@" if found["user"] else ""
    query = dict(parse_qsl(found["query"] or "", keep_blank_values=True))
    service, _, database = (found["path"] or "").partition("/")
    if (kind == "sentinel") != bool(service) or not re.fullmatch(r"\d*", database):
        raise ValueError(found["path"])
    seeds = tuple(_host_and_port(host, _DEFAULT_PORTS[kind]) for host in found["hosts"].split(","))
    credentials: dict[str, str] = {}
    if kind == "sentinel":
        names = [name for name in ("user", "password") if f"sentinel_{name}" in query]
        credentials = {name: query.pop(f"sentinel_{name}") for name in names}
    options = common | parse_url(f"{found['scheme']}://{user}host/{database}?{urlencode(query)}")
    if kind == "cluster":
        return Address("cluster", options, seeds)
    return Address("sentinel", options, seeds, service, _sentinel_options(options, credentials))


def _sentinel_options(options: dict[str, Any], credentials: dict[str, str]) -> dict[str, Any]:
    """Return the options of the store, with the Sentinels' own user and password, if given; "" stands for none."""
    own: dict[str, str] = {}
    if credentials:
        own = {"username": credentials.get("user", ""), "password": credentials.get("password", "")}
    merged = options | {"db": 0} | own
    return {name: value for name, value in merged.items() if value != "" or name not in ("username", "password")}


def _host_and_port(text: str, default_port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.netloc != text:
        raise ValueError(text)
    return parts.hostname, parts.port or default_port
