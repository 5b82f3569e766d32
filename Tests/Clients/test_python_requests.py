"""The requests of web/parley.py: repetitions, failures, files, and how the gateway is found."""

import pickle
import threading

import pytest
from parley import Parley, ParleyError, all_items
from scripted import Scripted, hang_up, head, problem, raw, reply


def client(server, **more):
    pauses = []
    made = Parley(server.address, "secret", pause=pauses.append, jitter=lambda: 0.5, **more)
    made.pauses = pauses
    return made


def test_a_post_is_repeated_under_one_key():
    with Scripted(hang_up, problem(503, "busy", Retry_After=9), problem(429, "slow"), problem(409, "idempotencyKeyInFlight"),
                  reply(201, {"id": "m"}, ETag='W/"1"')) as server:
        parley = client(server)
        answer = parley.session("s").thread("t").messages.send(text="Hi")
        assert answer == {"id": "m"} and answer.version == 'W/"1"'
        assert [(one.method, one.target) for one in server.requests] == [("POST", "/v1/sessions/s/threads/t/messages")] * 5
        assert len({(one.headers["idempotency-key"], one.body) for one in server.requests}) == 1
        assert set(server.requests[0].json) == {"id", "text"}
        assert parley.pauses == [0.5, 9, 2, 4]


def test_a_key_of_ones_own_is_kept_and_two_requests_have_two():
    with Scripted(reply(201, {"id": "t"})) as server:
        threads = client(server).session("s").threads
        threads.create(key="mine")
        threads.create()
        threads.create()
        keys = [one.headers["idempotency-key"] for one in server.requests]
        assert keys[0] == "mine" and len(set(keys)) == 3
        assert server.connections == 1


@pytest.mark.parametrize("status,code", [(409, "messageIdConflict"), (422, "textTooLong"), (401, "unauthorized")])
def test_what_is_refused_is_not_repeated(status, code):
    with Scripted(problem(status, code)) as server:
        with pytest.raises(ParleyError) as caught:
            client(server).session("s").thread("t").messages.send(text="Hi")
        assert (caught.value.code, caught.value.status, caught.value.detail) == (code, status, f"It is {code}.")
        assert not caught.value.temporary and str(caught.value) == f"It is {code}." and len(server.requests) == 1


def test_it_gives_up_after_its_tries():
    with Scripted(hang_up) as server:
        parley = client(server, tries=3)
        with pytest.raises(ParleyError) as caught:
            parley.info()
        assert (caught.value.code, caught.value.status, caught.value.temporary) == ("unreachable", 0, True)
        assert len(server.requests) == 3 and parley.pauses == [0.5, 1]


def test_a_request_that_is_not_answered_in_time():
    with Scripted(lambda link: True) as server:
        with pytest.raises(ParleyError) as caught:
            client(server, timeout=0.2, tries=1).info()
        assert caught.value.code == "timeout"


def test_the_text_of_an_error_names_what_is_wrong():
    body = {"title": "The body has an unknown member", "status": 422, "code": "unknownMember", "detail": "so",
            "errors": [{"pointer": "#/customer/nme", "code": "unknownMember", "detail": "the operation does not know this member"},
                       {"pointer": "#/id"}]}
    with Scripted(reply(422, body), raw(head(502, Content_Length=3) + b"<p>")) as server:
        parley = client(server, tries=1)
        with pytest.raises(ParleyError, match="The body has an unknown member .#/customer/nme: the operation does not know this member; #/id.$"):
            parley.sessions.create(channel="x", customer={"nme": "A"})
        with pytest.raises(ParleyError, match="502 Whatever") as caught:
            parley.info()
        assert caught.value.code == "unknown" and caught.value.temporary


def test_a_kept_connection_that_was_closed_is_replaced_without_a_pause():
    def close_after(link):
        reply(200, {})(link)
        return False

    with Scripted(close_after, reply(200, {"name": "again"})) as server:
        parley = client(server)
        parley.info()
        assert parley.info() == {"name": "again"} and parley.pauses == [] and server.connections == 2


def test_what_was_deleted_by_a_try_without_answer_is_deleted():
    with Scripted(hang_up, problem(404, "unknownWebhook")) as server:
        client(server).webhook("w").delete()
    with Scripted(problem(404, "unknownWebhook")) as server:
        with pytest.raises(ParleyError, match="unknownWebhook"):
            client(server).webhook("w").delete()


def test_a_condition_is_asked_once():
    with Scripted(hang_up) as server:
        with pytest.raises(ParleyError):
            client(server).webhook("w").update(if_match='W/"3"', types=None)
        [one] = server.requests
        assert (one.method, one.headers["if-match"], one.json) == ("PATCH", 'W/"3"', {"types": None})


def test_the_version_of_an_answer_without_one_is_no_condition():
    with Scripted() as server:
        for change in (client(server).webhook("w").update, client(server).session("s").thread("t").update):
            with pytest.raises(TypeError, match="no version"):
                change(if_match=None)
        assert server.requests == []


def test_pages_come_one_after_the_other():
    with Scripted(reply(200, {"items": [{"id": "4"}, {"id": "3"}], "next": "c/1"}), reply(200, {"items": [], "next": "c2"}),
                  reply(200, {"items": [{"id": "2"}]})) as server:
        assert [one["id"] for one in client(server).session("s").thread("t").messages.all(limit=2)] == ["4", "3", "2"]
        assert [one.target.partition("?")[2] for one in server.requests] == ["limit=2", "limit=2&cursor=c%2F1", "limit=2&cursor=c2"]
    with Scripted(reply(200, {"items": [{"id": "x"}]})) as server:
        assert list(all_items(client(server).desk.search, q="two words")) == [{"id": "x"}]
        assert server.requests[0].target == "/v1/desk/search?q=two+words"


def test_a_file_goes_up_as_it_is_and_again_after_a_break(tmp_path):
    (tmp_path / "Größe (1).png").write_bytes(b"\x89PNG" * 50_000)
    with Scripted(hang_up, reply(201, {"id": "a"})) as server:
        attachments = client(server).session("s").attachments
        assert attachments.upload(tmp_path / "Größe (1).png") == {"id": "a"}
        assert [one.body for one in server.requests] == [b"\x89PNG" * 50_000] * 2
        first, second = (one.headers for one in server.requests)
        assert first["idempotency-key"] == second["idempotency-key"] and first["content-type"] == "image/png"
        assert first["content-disposition"] == "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.png"
        attachments.upload(b"x", name="n.bin", type="text/x", key="k")
        assert [server.requests[-1].headers[name] for name in ("content-type", "idempotency-key")] == ["text/x", "k"]


def test_a_file_comes_down_whole_or_not_at_all(tmp_path):
    whole = raw(head(200, Content_Length=6) + b"abcdef", stay=True)
    cut = raw(head(200, Content_Length=6) + b"abc")
    with Scripted(cut, whole) as server:
        assert client(server).desk.attachments.download("a b") == b"abcdef"
        assert server.requests[0].target == "/v1/desk/attachments/a%20b"
    with Scripted(cut, whole) as server:
        client(server).desk.attachments.save("a", tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == b"abcdef"
    with Scripted(cut) as server:
        with pytest.raises(ParleyError):
            client(server).desk.attachments.save("a", tmp_path / "other")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_page_of_events_is_asked_for_as_json():
    with Scripted(reply(200, {"items": [], "cursor": "e-5"})) as server:
        client(server).event_page(sessions=["a"], types=["typing"], after="e-5", wait=1)
        assert server.requests[0].target == "/v1/events?session=a&types=typing&after=e-5&wait=1"
        assert server.requests[0].headers["accept"] == "application/json"


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A user's folder without a gateway."""
    for name in ("PARLEY_DATA", "PARLEY_GATEWAY", "PARLEY_TOKEN", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "parley").mkdir()
    return tmp_path / "parley"


def test_the_gateway_is_found_by_the_data_folder_anew_with_each_connection(nowhere, monkeypatch):
    parley = Parley(tries=1)
    with pytest.raises(ParleyError, match="No gateway is running") as caught:
        parley.info()
    assert caught.value.code == "noGateway" and caught.value.temporary
    (nowhere / "token").write_text("own\n")
    for name in ("one", "two"):
        with Scripted(reply(200, {"name": name})) as server:
            (nowhere / "address").write_text(server.address + "\n")
            assert parley.info() == {"name": name}
            assert server.requests[0].headers["authorization"] == "Bearer own"
    with Scripted(reply(200, {})) as other:  # the folder's token is for the folder's gateway
        monkeypatch.setenv("PARLEY_GATEWAY", other.address)
        parley.info()
        assert "authorization" not in other.requests[0].headers
        monkeypatch.setenv("PARLEY_TOKEN", "variable")
        Parley(tries=1).info()
        assert other.requests[1].headers["authorization"] == "Bearer variable"


def test_a_unix_socket(nowhere):
    path = nowhere / "s"
    with Scripted(reply(200, {"name": "local"}), path=path) as server:
        assert Parley(server.address).info() == {"name": "local"}
        (nowhere / "socket").write_text(f"{path}\n")
        assert Parley().info() == {"name": "local"}
        assert server.requests[0].headers["host"] == "localhost" and "authorization" not in server.requests[0].headers


def test_an_address_that_is_none():
    with pytest.raises(ValueError, match="127.0.0.1:1"):
        Parley("127.0.0.1:1").info()


def test_an_answer_that_is_no_json_is_a_failure_like_all_others():
    page = raw(head(200, Content_Type="text/html", Content_Length=6) + b"<html>", stay=True)
    with Scripted(page) as server:
        parley = client(server)
        for ask in (parley.info, lambda: parley.desk.attachments.upload(b"x")):
            with pytest.raises(ParleyError) as caught:
                ask()
            assert (caught.value.code, caught.value.status) == ("notJSON", 0)


def test_an_error_passes_between_processes_whole():
    error = pickle.loads(pickle.dumps(ParleyError({"status": 422, "code": "tooLong", "errors": [{"pointer": "#/id"}]})))
    assert (error.code, error.errors, str(error)) == ("tooLong", [{"pointer": "#/id"}], "tooLong (#/id)")


def test_the_end_of_its_block_closes_what_is_kept():
    closed = threading.Event()

    def answer(link):
        reply(200, {})(link)
        if not link.recv(1):
            closed.set()

    with Scripted(answer, reply(200, {"name": "again"})) as server:
        with client(server) as parley:
            parley.info()
            kept = list(parley._idle)  # so that the collector of garbage does not close it
            assert kept and not closed.is_set()
        assert closed.wait(10)
        assert parley.info() == {"name": "again"}
        parley.close()
