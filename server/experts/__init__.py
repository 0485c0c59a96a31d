"""Who thinks for the bots that need time: what they are asked, the processes that answer, and the queue before them."""
