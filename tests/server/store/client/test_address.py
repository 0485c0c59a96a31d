"""Addresses of a store: the valid forms, and refusals that do not show the address."""

import pytest
from redis.asyncio.connection import Connection, SSLConnection, UnixDomainSocketConnection

from server.store.client.address import parse_address
from server.store.log import StoreError


def read(url):
    return parse_address(url, timeout_s=1)


@pytest.mark.parametrize(
    ("url", "connection", "expected"),
    [
        ("redis://h:1/2", Connection, {"host": "h", "port": 1, "db": 2}),
        ("rediss://ann:pw@h", SSLConnection, {"host": "h", "username": "ann", "password": "pw"}),
        ("unix://ann@/s.sock?password=pw", UnixDomainSocketConnection, {"path": "/s.sock", "username": "ann"}),
    ],
)
def test_a_single_server_has_a_host_and_port_or_a_socket(url, connection, expected):
    address = read(url)
    assert address.kind == "single"
    assert address.options.get("connection_class", Connection) is connection
    assert expected.items() <= address.options.items()


def test_sentinels_are_listed_with_their_service():
    address = read("redis+sentinel://ann:p%40w@a:1,b,[::1]:3/spades/2")
    assert (address.kind, address.service) == ("sentinel", "spades")
    assert address.seeds == (("a", 1), ("b", 26379), ("::1", 3))
    assert {"username": "ann", "password": "p@w", "db": 2}.items() <= address.options.items()
    assert {"username": "ann", "password": "p@w", "db": 0}.items() <= address.sentinel.items()


@pytest.mark.parametrize(
    ("query", "user", "password"),
    [
        ("sentinel_user=sam&sentinel_password=s", "sam", "s"),
        ("sentinel_password=s", None, "s"),
        ("sentinel_password=", None, None),
    ],
)
def test_sentinels_may_have_other_credentials_or_none(query, user, password):
    address = read(f"redis+sentinel://ann:pw@a:1/spades?{query}")
    assert address.options["password"] == "pw"
    assert (address.sentinel.get("username"), address.sentinel.get("password")) == (user, password)


def test_a_cluster_is_listed_by_some_of_its_servers():
    address = read("redis+cluster://:pw@a:1,b/")
    assert (address.kind, address.seeds) == ("cluster", (("a", 1), ("b", 6379)))
    assert address.options["password"] == "pw"


@pytest.mark.parametrize("url", ["rediss+sentinel://a:1/s", "rediss+cluster://a:1"])
def test_tls_has_the_same_options_for_every_form(url):
    address = read(f"{url}?ssl_ca_certs=/ca.pem")
    assert address.options["connection_class"] is SSLConnection
    assert address.options["ssl_ca_certs"] == "/ca.pem"
    if address.sentinel:
        assert address.sentinel["connection_class"] is SSLConnection


@pytest.mark.parametrize(
    "url",
    [
        *("http://host", "host:6379", "", "redis://host:port", "unix:///s?colour=red", "redis://h?protocol=9"),
        *("redis+sentinel://:hunter2@a:1", "redis+sentinel://a:1/", "redis+sentinel:///spades"),
        *("redis+sentinel://a:1/spades/zero", "redis+sentinel://a:port/spades", "redis+sentinel://a:1,,b:2/spades"),
        *("redis+cluster://a:1/0", "redis+cluster://a:1/spades", "redis+cluster://a:1?sentinel_password=x"),
        *("unix+cluster://a:1", "redis+cluster://a:1?colour=red", "redis+clusters://a:1"),
    ],
)
def test_an_invalid_address_is_refused_without_being_shown(url):
    with pytest.raises(StoreError) as refused:
        read(url)
    assert str(refused.value) == (
        "the address of the store is not valid: use redis://HOST:PORT, rediss:// for TLS, unix:///PATH, "
        "redis+sentinel://HOST:PORT,HOST:PORT/SERVICE or redis+cluster://HOST:PORT,HOST:PORT"
    )
