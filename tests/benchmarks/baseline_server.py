"""A server without tables: it sends a welcome, and answers of a fixed size.

`python -m tests.benchmarks.baseline_server BYTES` prints its port; its answers to join_table have about BYTES bytes.
"""

import gc
import sys

import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


async def main(size: int) -> None:
    async def handle(socket: ServerConnection) -> None:
        try:
            await socket.recv()
            await socket.send(msgpack.packb({"t": "welcome", "token": "A" * 43, "name": "A", "version": "0"}))
            async for frame in socket:
                join = msgpack.unpackb(frame)
                answer = {"t": "update", "re": join["id"], "code": join["code"], "n": join["n"], "e": join["e"]}
                await socket.send(msgpack.packb({**answer, "view": bytes(size)}))
        except ConnectionClosed:
            pass

    async with serve(handle, "127.0.0.1", 0, backlog=4096, compression=None, server_header=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    gc.set_threshold(20_000)  # as the servers do
    uvloop.run(main(int(sys.argv[1])))
