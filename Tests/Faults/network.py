"""A network of the test's own: a namespace with two links, each of which can be cut without a word to either side."""

import os
import shutil
import subprocess

import pytest


def ip(*words, check=True):
    return subprocess.run(["ip", *words], check=check, capture_output=True, text=True, timeout=30)


class Network:
    """A namespace, and two pairs of virtual links to it."""

    def __init__(self):
        tail = os.getpid() % 10000
        self.name = f"parley{tail}"
        self._links = [f"prly{tail}{letter}" for letter in "ab"]
        net = f"169.254.{100 + tail % 100}"
        self._here = [f"{net}.1", f"{net}.5"]
        #: The namespace's own address on each link.
        self.there = [f"{net}.2", f"{net}.6"]
        #: The command that runs another one in the namespace.
        self.within = ["ip", "netns", "exec", self.name]

    def __enter__(self):
        if os.geteuid() != 0 or not shutil.which("ip"):
            pytest.skip("a network of its own needs root and ip(8)")
        try:
            ip("netns", "add", self.name)
            ip("-n", self.name, "link", "set", "lo", "up")
            for link, here, there in zip(self._links, self._here, self.there, strict=True):
                ip("link", "add", link, "type", "veth", "peer", "name", f"{link}x")
                ip("link", "set", f"{link}x", "netns", self.name)
                ip("addr", "add", f"{here}/30", "dev", link)
                ip("link", "set", link, "up")
                ip("-n", self.name, "addr", "add", f"{there}/30", "dev", f"{link}x")
                ip("-n", self.name, "link", "set", f"{link}x", "up")
        except subprocess.CalledProcessError as fault:
            self.__exit__()
            pytest.skip(f"no network namespace can be made here: {fault.stderr.strip()}")
        return self

    def cut(self, number):
        """Takes the far end down: what is sent meanwhile is lost, and no side is told."""
        ip("-n", self.name, "link", "set", f"{self._links[number]}x", "down")

    def mend(self, number):
        ip("-n", self.name, "link", "set", f"{self._links[number]}x", "up")

    def __exit__(self, *_):
        for link in self._links:
            ip("link", "del", link, check=False)
        ip("netns", "del", self.name, check=False)
