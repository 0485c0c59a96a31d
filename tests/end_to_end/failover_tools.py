"""Masters and replicas of a store that fails over."""

import signal

from tests.server.store.fleets import SERVICE, Fleet, Process, SentinelFleet, eventually


def replicas_of(fleet: Fleet, master: Process) -> list[Process]:
    """Return the replicas of a master, as those alive say."""
    alive = [server for server in fleet.servers if server is not master and server.running.poll() is None]
    roles = {server: server.client.role() for server in alive}
    return [server for server, role in roles.items() if role[0] == "slave" and role[2] == master.port]


async def wait_promoted(replicas: list[Process]) -> Process:
    """Wait until one of the replicas is a master, and return it."""
    masters: list[Process] = []

    def found() -> bool:
        masters.extend(each for each in replicas if each.client.role()[0] == "master")
        return bool(masters)

    await eventually(found)
    return masters[0]


async def bring_back(fleet: Fleet, old: Process, new: Process) -> None:
    """Restart or resume the master that failed, as a replica of the new one."""
    if old.running.poll() is not None:
        old.start()
    old.running.send_signal(signal.SIGCONT)
    if isinstance(fleet, SentinelFleet):  # Sentinels take eight seconds to say so
        await eventually(lambda: old.client.replicaof("127.0.0.1", new.port))


async def promote_by_hand(fleet: SentinelFleet, server: Process) -> None:
    server.start()
    await eventually(lambda: server.client.replicaof("NO", "ONE"))
    for sentinel in fleet.sentinels:
        sentinel.client.execute_command("SENTINEL", "REMOVE", SERVICE)
        sentinel.client.execute_command("SENTINEL", "MONITOR", SERVICE, "127.0.0.1", server.port, 2)
