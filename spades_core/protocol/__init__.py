"""Every message on the wire, once, and the codec that writes and reads them."""
