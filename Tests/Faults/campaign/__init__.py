"""A campaign of faults: rounds of load with a fault, and after each a check of everything that was acknowledged."""
