"""How the store is reached: the forms of its address, which of its servers keeps what, and requests to each of them."""
