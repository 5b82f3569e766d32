"""The streams of web/parley.py, against a gateway that breaks in every way."""

import threading

import pytest
from parley import EventStreamParser, Parley, ParleyError
from scripted import Scripted, frame, hang_up, message, problem, ready, reply, silent_stream, raw, stream, stream_bytes


def client(server, **more):
    """Waits are written down, not waited for."""
    pauses = []
    made = Parley(server.address, "secret", pause=pauses.append, jitter=lambda: 0.5, **more)
    made.pauses = pauses
    return made


def take(events, enough):
    found = []
    with events:
        for event in events:
            found.append(event)
            if enough(event):
                return found
    raise AssertionError(f"the stream ended: {found}")


def test_a_stream_is_open_when_it_is_made():
    with Scripted(silent_stream(ready("e-1"))) as server:
        events = client(server).events(sessions=["a", "b c"], desk=True, types=["typing", "ping"], holders=["x", "y"], collections=True)
        assert server.requests[0].target == (
            "/v1/events?session=a&session=b+c&desk=true&types=typing%2Cping&collections=true&holder=x&holder=y")
        assert server.requests[0].headers["authorization"] == "Bearer secret"
        assert "last-event-id" not in server.requests[0].headers
        assert next(events) == ("ready", "e-1", {"cursor": "e-1"}) and events.cursor == "e-1"
        events.close()
        assert list(events) == []


def test_it_resumes_at_its_place_and_delivers_each_id_once():
    with Scripted(
        stream(b"retry: 10\n\n", ready("e-1"), message("e-2", "one"), frame("ping", {}, "e-5")),
        hang_up, problem(503, "starting", Retry_After=7), reply(200, {}),
        silent_stream(message("e-2", "again"), message("e-5", "again"), message("e-6", "two"), ready("e-6")),
    ) as server:
        states = []
        parley = client(server)
        events = parley.desk.events(after="e-0", on_state=lambda state, problem: states.append((state, problem and problem.code)))
        found = take(events, lambda event: event[:2] == ("ready", "e-6"))
        assert [event[:2] for event in found] == [
            ("ready", "e-1"), ("message.created", "e-2"), ("ping", "e-5"), ("message.created", "e-6"), ("ready", "e-6")]
        assert [one.headers["last-event-id"] for one in server.requests] == ["e-0", "e-5", "e-5", "e-5", "e-5"]
        # The stream's own pause, doubled with each failure, and at least what the gateway asks for.
        assert parley.pauses == [0.01, 0.02, 7, 0.08]
        assert states == [
            ("connecting", None), ("live", None), ("waiting", "unreachable"), ("connecting", None), ("waiting", "unreachable"),
            ("connecting", None), ("waiting", "starting"), ("connecting", None), ("waiting", "notAStream"),
            ("connecting", None), ("live", None)]


WHOLE = message("e-2", "Grüße 👋")


@pytest.mark.parametrize("cut", range(len(stream_bytes(ready("e-1"), WHOLE)) - len(stream_bytes(ready("e-1"))) + 1))
def test_cut_at_each_byte_of_a_frame(cut):
    begin = stream_bytes(ready("e-1"))
    with Scripted(
        raw(stream_bytes(ready("e-1"), WHOLE)[:len(begin) + cut]), silent_stream(WHOLE, message("e-3", "next")),
    ) as server:
        found = take(client(server).desk.events(), lambda event: event.id == "e-3")
        assert [event.id for event in found] == ["e-1", "e-2", "e-3"]
        assert found[1].data == {"message": {"text": "Grüße 👋"}}


def test_a_reset_is_an_event_and_the_new_epoch_goes_on():
    reset = frame("reset", {"reason": "foreignEpoch"}, "f-3")
    with Scripted(stream(reset, ready("f-3"), message("f-4", "new")), silent_stream(message("f-4", "again"), ready("f-4"))) as server:
        found = take(client(server).desk.events(after="e-70"), lambda event: event[:2] == ("ready", "f-4"))
        assert [event[:2] for event in found] == [("reset", "f-3"), ("ready", "f-3"), ("message.created", "f-4"), ("ready", "f-4")]
        assert [one.headers["last-event-id"] for one in server.requests] == ["e-70", "f-4"]


def test_an_epoch_that_changes_between_two_connections():
    with Scripted(
        stream(ready("e-9")), silent_stream(frame("reset", {"reason": "foreignEpoch"}, "f-1"), message("f-2", "low")),
    ) as server:
        found = take(client(server).desk.events(), lambda event: event.id == "f-2")
        assert [event.type for event in found] == ["ready", "reset", "message.created"]


def test_silence_is_a_dead_connection_and_a_comment_is_life():
    late = threading.Event()

    def beats(link):
        link.sendall(stream_bytes(ready("e-1")))
        for _ in range(6):  # longer in all than the silence that is allowed
            late.wait(0.1)
            link.sendall(b"7\r\n: life\n\r\n")
        link.sendall(b"%x\r\n%s\r\n" % (len(message("e-2", "late")), message("e-2", "late")))
        return True

    with Scripted(beats, silent_stream(ready("e-2")), silent_stream(message("e-3", "after"))) as server:
        found = take(client(server).desk.events(silence=0.4), lambda event: event.id == "e-3")
        assert [event.id for event in found] == ["e-1", "e-2", "e-2", "e-3"]
        assert [one.headers.get("last-event-id") for one in server.requests] == [None, "e-2", "e-2"]


def test_an_id_without_data_moves_the_place_and_typing_leaves_it():
    with Scripted(stream(b"id: e-9\n\n", frame("typing", {})), silent_stream(ready("e-9"))) as server:
        found = take(client(server).desk.events(), lambda event: event.type == "ready")
        assert [event.type for event in found] == ["typing", "ready"]
        assert server.requests[1].headers["last-event-id"] == "e-9"


@pytest.mark.parametrize("status,code", [(401, "unauthorized"), (403, "forbidden"), (404, "unknownSession"), (400, "invalidParameter")])
def test_a_refusal_for_good_ends_it(status, code):
    with Scripted(problem(status, code)) as server:
        with pytest.raises(ParleyError) as caught:
            client(server).desk.events()
        assert (caught.value.status, caught.value.code, caught.value.temporary) == (status, code, False)
    with Scripted(stream(ready("e-1")), problem(status, code)) as server:
        events = client(server).desk.events()
        assert next(events).type == "ready"
        with pytest.raises(ParleyError):
            next(events)


def test_close_wakes_whoever_waits():
    with Scripted(silent_stream(ready("e-1"))) as server:
        events = client(server).desk.events()
        next(events)
        rest = []
        waiting = threading.Thread(target=lambda: rest.extend(events))
        waiting.start()
        events.close()
        waiting.join(10)
        assert not waiting.is_alive() and rest == []


def test_close_ends_a_pause():
    with Scripted(stream(b"retry: 100000\n\n", ready("e-1"))) as server:
        waits = threading.Event()
        events = Parley(server.address, "x").desk.events(most=1000, on_state=lambda state, _: state == "waiting" and waits.set())
        reader = threading.Thread(target=lambda: list(events))
        reader.start()
        assert waits.wait(10)
        events.close()
        reader.join(10)
        assert not reader.is_alive()


TEXT = "\ufeff: c\nid: 1\ndata: a\n\ndata:b\r\ndata:  c\r\n\r\nevent: x\rdata: ä\r\rretry: 12\nid: 2\n\nretry: x\nid: \0\nunknown\ndata\n\ndata: cut".encode()
PARSED = [("message", "1", "a"), ("message", None, "b\n c"), ("x", None, "ä"), ("message", "2", None), ("message", None, "")]


def test_the_parser_takes_any_line_end_cut_anywhere():
    for size in range(1, len(TEXT) + 1):
        parser = EventStreamParser()
        found = [one for at in range(0, len(TEXT), size) for one in parser.push(TEXT[at:at + size])]
        assert found == PARSED and parser.retry == 12, size
