"""Where the store is, as one address, and how each of its servers is connected to.

Invariant: an address that is not understood is refused here, before anything is
connected to; the refusal shows the forms and nothing of what was given.
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

_NOT_UNDERSTOOD = (
    "the address of the store is not understood: use redis://HOST:PORT, rediss:// for TLS, unix:///PATH, "
    "redis+sentinel://HOST:PORT,HOST:PORT/SERVICE or redis+cluster://HOST:PORT,HOST:PORT"
)
_OF_MANY = re.compile(
    r"(?P<scheme>rediss?)\+(?P<kind>sentinel|cluster)://(?:(?P<user>[^/?#]*)@)?(?P<hosts>[^/?#@]+)"
    r"(?:/(?P<path>[^?#]*))?(?:\?(?P<query>[^#]*))?"
)
_PORTS = {"sentinel": 26379, "cluster": 6379}

Options = Mapping[str, Any]
"""Those of a connection of the client library."""


@dataclass(frozen=True, slots=True)
class Address:
    """`options` lead to a server of the store; `seeds` are the hosts and ports to begin with, none for a single one."""

    kind: Literal["single", "sentinel", "cluster"]
    options: Options
    seeds: tuple[tuple[str, int], ...] = ()
    service: str = ""
    sentinel: Options = field(default_factory=dict)
    """How to connect to a Sentinel."""

    def __post_init__(self) -> None:
        for options in (self.options, self.sentinel):
            # An option that no connection knows shows only when one is made.
            ConnectionPool(**options).make_connection()  # type: ignore[no-untyped-call]


def read_address(url: str, *, attempt_timeout_s: float) -> Address:
    """Raises StoreError."""
    common = {
        "socket_timeout": attempt_timeout_s,
        "socket_connect_timeout": attempt_timeout_s,
        "protocol": 2,
        "retry": Retry(NoBackoff(), 0),  # one patience is enough: that of the log, with a budget
    }
    try:
        many = _OF_MANY.fullmatch(url)
        return Address("single", common | parse_url(url)) if many is None else _of_many(many, common)
    except (ValueError, TypeError, AttributeError, RedisError) as error:
        raise StoreError(_NOT_UNDERSTOOD) from error


def _of_many(found: re.Match[str], common: dict[str, Any]) -> Address:
    kind, user = found["kind"], f"{found['user']}@" if found["user"] else ""
    query = dict(parse_qsl(found["query"] or "", keep_blank_values=True))
    service, _, database = (found["path"] or "").partition("/")
    if (kind == "sentinel") != bool(service) or not re.fullmatch(r"\d*", database):
        raise ValueError(found["path"])
    seeds = tuple(_host_and_port(host, _PORTS[kind]) for host in found["hosts"].split(","))
    own: dict[str, str] = {}
    if kind == "sentinel":
        own = {name: query.pop(f"sentinel_{name}") for name in ("user", "password") if f"sentinel_{name}" in query}
    options = common | parse_url(f"{found['scheme']}://{user}host/{database}?{urlencode(query)}")
    if kind == "cluster":
        return Address("cluster", options, seeds)
    return Address("sentinel", options, seeds, service, _for_sentinels(options, own))


def _for_sentinels(options: dict[str, Any], given: dict[str, str]) -> dict[str, Any]:
    """As for the store, unless the address names a user or a password of their own, "" for none."""
    own = {"username": given.get("user", ""), "password": given.get("password", "")} if given else {}
    merged = options | {"db": 0} | own
    return {name: value for name, value in merged.items() if value != "" or name not in ("username", "password")}


def _host_and_port(text: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.netloc != text:
        raise ValueError(text)
    return parts.hostname, parts.port or port
