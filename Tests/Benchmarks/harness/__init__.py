"""What the benchmarks are made of: processes, the gateway, its peers, and one module a figure."""
