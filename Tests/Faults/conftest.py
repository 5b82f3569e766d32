"""What the fault tests share: a gateway of each test's own, and the switches of the command line's environment."""

import os
import random

import pytest
from serving import Gateway


@pytest.fixture
def gw():
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def seed():
    """The test's random numbers; a failing run prints the seed, and PARLEY_SEED repeats it."""
    number = int(os.environ.get("PARLEY_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"PARLEY_SEED={number}")
    return random.Random(number)


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes most of a minute, because a time limit of the gateway must pass")
