"""Whoever starts the gateway may have closed its standard streams, or read from them no more."""

import os
import signal
import subprocess

import pytest
from commands import environment
from gateway import Gateway, binary, until


def broken(kind):
    """A descriptor to which nothing can be written."""
    if kind == "a full disk":
        return os.open("/dev/full", os.O_WRONLY)
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize("kind", ["a pipe that nobody reads", "a full disk", "closed"])
def test_a_gateway_serves_without_standard_error(tmp_path, kind):
    folder = tmp_path / "data"
    words = [binary(), "--listen", "127.0.0.1:0", "--data", str(folder), "--log-level", "debug"]
    error = None
    if kind == "closed":
        words = ["sh", "-c", 'exec "$@" 2>&-', "sh", *words]
    else:
        error = broken(kind)
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error, env=environment())
    try:
        if error is not None:
            os.close(error)
        gateway = Gateway(folder=tmp_path)
        gateway.process = process
        until("the gateway to be ready", lambda: process.poll() is None and gateway._is_ready() or process.poll() is not None)
        assert process.poll() is None, "it ended"
        # What is meant for standard error goes to no file and no socket of the gateway.
        if kind == "closed":
            assert os.readlink(f"/proc/{process.pid}/fd/2") == "/dev/null"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def ignored():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def run(words, **streams):
    """The exit status, where SIGPIPE is ignored as service managers do."""
    return subprocess.run(words, preexec_fn=ignored, restore_signals=False, timeout=30, env=environment(), **streams).returncode


def test_a_fault_at_the_start_keeps_its_status(tmp_path):
    error = broken("a pipe")
    words = [binary(), "--data", "/proc/none"]
    assert run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error) == 1
    os.close(error)


def test_a_host_of_assistants_may_go(gw):
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [binary(), "mcp"], stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE, preexec_fn=ignored,
        restore_signals=False, env=environment(gw))
    os.close(writer)
    os.close(reader)
    _, said = process.communicate(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', timeout=30)
    assert (process.returncode, said) == (1, b"")
