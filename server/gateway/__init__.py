"""The edge of the server: HTTP, WebSocket connections and the identities of their players."""
