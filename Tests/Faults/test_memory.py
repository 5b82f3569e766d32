"""What one customer's token can make the gateway hold in memory: what counts is bytes, and not things.

Great messages are as great as a message gets: 64 KiB of characters for each of which JSON writes six bytes.
"""

import pathlib
import re
import socket

import pytest
from serving import Chat, Gateway, until
from streams import connect

GREAT = "\x01" * (64 << 10)
COUNT = 100
#: In bytes, by what the gateway may grow. The bounds allow a customer an eighth of 128 MiB for collections, and the ring
#: and the pages in memory have 32 MiB each; the rest is what readings need for a moment, and fragmentation.
GROWTH = 220 << 20


def peak(gateway):
    """VmHWM in bytes."""
    status = pathlib.Path(f"/proc/{gateway.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) << 10


@pytest.fixture
def great():
    """A gateway with a thread of great messages, its chat, and what it had taken at most."""
    with Gateway() as gateway:
        chat = Chat(gateway)
        thread = chat.thread()
        for _ in range(COUNT):
            chat.say(thread, GREAT)
        yield gateway, chat, thread, peak(gateway)


def told(gateway, base, what):
    grown = peak(gateway) - base
    print(f"{what}: {base >> 20} MiB before, {grown >> 20} MiB more at most")
    assert grown < GROWTH, f"{what}: {grown >> 20} MiB"


def test_collections_of_great_messages(great):
    gateway, chat, thread, base = great
    client = gateway.client(chat.token)
    refused = 0
    for _ in range(20):
        made = client.call("POST", f"{chat.path}/collections", {"kind": "messages", "threadId": thread, "limit": 200})
        assert made.status == 201, made
        for _ in range(COUNT):
            answer = client.call("POST", f"{chat.path}/collections/{made['id']}/fetch", {"direction": "previous"})
            if answer.code == "tooManyCollections":
                refused += 1
                break
            assert answer.status == 200, answer
            if not answer["hasMore"]:
                break
    told(gateway, base, "20 collections of great messages")
    assert refused > 0


def test_transcripts_that_nobody_reads(great):
    gateway, chat, thread, base = great
    links, statuses = [], []
    for _ in range(120):
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.settimeout(30)
        link.connect((gateway.host, gateway.port))
        link.sendall(
            f"GET {chat.path}/threads/{thread}/transcript HTTP/1.1\r\nHost: {gateway.host}:{gateway.port}\r\n"
            f"Authorization: Bearer {chat.token}\r\n\r\n".encode())
        statuses.append(int(link.recv(256).split(b" ")[1]))
        links.append(link)
    told(gateway, base, "120 transcripts that nobody reads")
    assert statuses[0] == 200 and set(statuses) - {200}, statuses
    for link in links:
        link.close()
    # What they held is there again for others.
    until("a transcript", lambda: gateway.get(f"{chat.path}/threads/{thread}/transcript", token=chat.token).status == 200)


def test_pages_of_great_messages(great):
    gateway, chat, thread, base = great
    client = gateway.client(chat.token)
    page = client.call("GET", f"{chat.messages_path(thread)}?limit=200")
    for _ in range(50):
        assert client.call("HEAD", f"{chat.messages_path(thread)}?limit=200").status == 200
    assert len(chat.history(thread)) == COUNT
    told(gateway, base, "pages of great messages")
    assert len(page.body) < 2 << 20 and "next" in page.json


def test_streams_that_nobody_reads(great):
    gateway, chat, thread, base = great
    links = [
        connect(gateway.host, gateway.port, f"{chat.path}/events", chat.token, receive_buffer=4096) for _ in range(500)
    ]
    for link in links:
        assert link.recv(12) == b"HTTP/1.1 200"
    chat.say(thread, GREAT)
    for link in links:
        # Each has taken the beginning of the event, and takes no more of it.
        begun = b""
        while b"message.created" not in begun:
            begun += link.recv(256)
    # A reader that reads after all gets all of it, although others do not read.
    whole = b""
    while len(whole) < 5 * len(GREAT):
        whole += links[250].recv(1 << 16)
    told(gateway, base, "500 streams that nobody reads")
    for link in links:
        link.close()
