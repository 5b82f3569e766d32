"""What a Python program writes with the client: see test_python_client.py, which checks its types, and does not run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, assert_type

from parley import Parley, all_items, version_of

if TYPE_CHECKING:
    from parley_schemas import Customer, DeskThread, Message, SearchHit


def texts(messages: Iterator[Message]) -> list[str]:
    return [message.get("text", "") for message in messages]


with Parley("http://127.0.0.1:1", "token") as parley:
    session = parley.session(parley.sessions.create(channel="multi")["id"])
    thread = session.thread(session.threads.create(name="Order")["id"])
    sent = thread.messages.send(text="Hello")
    assert_type(sent["author"]["kind"], str)
    assert_type(texts(thread.messages.all(limit=5)), list[str])
    thread.message(sent["id"]).edit("Bye", if_match=version_of(sent))
    for open_thread in parley.desk.threads.all(state="open"):
        assert_type(open_thread, "DeskThread")
        assert_type(open_thread["customer"], "Customer")
    for hit in all_items(parley.desk.search, q="order"):
        assert_type(hit, "SearchHit")
    for event in parley.event_page(desk=True)["items"]:
        if event["type"] == "message.created":
            print(event["data"]["message"]["direction"])
    for known, _ in session.collection("c").follow():
        print([item["text"] for item in known["items"]])
    sent["txt"]  # type: ignore[typeddict-item]
    print(thread.get()["customer"])  # type: ignore[typeddict-item]
