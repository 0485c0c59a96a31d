"""The store in a data folder for somebody who only wants to look something up.

Invariant: a store that a server is using goes on as it is. One that is not
running runs for the visit, and for that long no server can open the folder.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from server.store.embedded.folder import FolderInUse, FolderUnusable, is_data_folder, noted_in
from server.store.embedded.process import EmbeddedStore


@asynccontextmanager
async def borrowed(folder: Path) -> AsyncIterator[str]:
    """The address of the store for the time of the block; raises StoreError."""
    if not is_data_folder(folder):
        raise FolderUnusable(f"{folder} is no data folder: no server has kept its tables there")
    store = EmbeddedStore(folder)
    try:
        url = await store.start()
    except FolderInUse:
        url = f"unix://{quote(noted_in(folder).socket)}"
    try:
        yield url
    finally:
        await store.stop()  # does nothing to one that it has not started
