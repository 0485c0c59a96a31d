"""Masters of a store with replicas: who follows them, who takes their place, and how they come back."""

import signal

from tests.server.store.deployments import SERVICE, Deployment, SentinelDeployment, ServerProcess, eventually


def replicas_of(deployment: Deployment, master: ServerProcess) -> list[ServerProcess]:
    """As those that live see it."""
    alive = [server for server in deployment.servers if server is not master and server.process.poll() is None]
    roles = {server: server.client.role() for server in alive}
    return [server for server, role in roles.items() if role[0] == "slave" and role[2] == master.port]


async def promoted(replicas: list[ServerProcess]) -> ServerProcess:
    """The one that becomes a master."""
    masters: list[ServerProcess] = []

    def found() -> bool:
        masters.extend(each for each in replicas if each.client.role()[0] == "master")
        return bool(masters)

    await eventually(found)
    return masters[0]


async def back(deployment: Deployment, old: ServerProcess, new: ServerProcess) -> None:
    """Who has failed is there again, as a replica of who took over."""
    if old.process.poll() is not None:
        old.start()
    old.process.send_signal(signal.SIGCONT)
    if isinstance(deployment, SentinelDeployment):  # Sentinels take eight seconds to say so
        await eventually(lambda: old.client.replicaof("127.0.0.1", new.port))


async def promote_by_hand(deployment: SentinelDeployment, server: ServerProcess) -> None:
    server.start()
    await eventually(lambda: server.client.replicaof("NO", "ONE"))
    for sentinel in deployment.sentinels:
        sentinel.client.execute_command("SENTINEL", "REMOVE", SERVICE)
        sentinel.client.execute_command("SENTINEL", "MONITOR", SERVICE, "127.0.0.1", server.port, 2)
