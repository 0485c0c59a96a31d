"""The messages on the wire, and the codec that serializes them."""
