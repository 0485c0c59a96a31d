"""Masters and replicas of a store that fails over."""

import signal

from tests.server.store.deployments import SERVICE, Deployment, SentinelDeployment, StoreProcess, eventually


def replicas_of(deployment: Deployment, master: StoreProcess) -> list[StoreProcess]:
    """Return the replicas of a master, as those alive say."""
    alive = [server for server in deployment.servers if server is not master and server.process.poll() is None]
    roles = {server: server.client.role() for server in alive}
    return [server for server, role in roles.items() if role[0] == "slave" and role[2] == master.port]


async def wait_promoted(replicas: list[StoreProcess]) -> StoreProcess:
    """Wait until one of the replicas is a master, and return it."""
    masters: list[StoreProcess] = []

    def found() -> bool:
        masters.extend(each for each in replicas if each.client.role()[0] == "master")
        return bool(masters)

    await eventually(found)
    return masters[0]


async def bring_back(deployment: Deployment, old: StoreProcess, new: StoreProcess) -> None:
    """Restart or resume the master that failed, as a replica of the new one."""
    if old.process.poll() is not None:
        old.start()
    old.process.send_signal(signal.SIGCONT)
    if isinstance(deployment, SentinelDeployment):  # Sentinels take eight seconds to say so
        await eventually(lambda: old.client.replicaof("127.0.0.1", new.port))


async def promote_by_hand(deployment: SentinelDeployment, server: StoreProcess) -> None:
    server.start()
    await eventually(lambda: server.client.replicaof("NO", "ONE"))
    for sentinel in deployment.sentinels:
        sentinel.client.execute_command("SENTINEL", "REMOVE", SERVICE)
        sentinel.client.execute_command("SENTINEL", "MONITOR", SERVICE, "127.0.0.1", server.port, 2)
