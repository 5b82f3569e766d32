"""Random operations over HTTP, and a model of what must be readable after them."""
