"""A gateway that is killed while files come in leaves nothing of them, and loses none that it had acknowledged."""
