"""The Python client (web/parley.py) against a real gateway and the document. Tests/Clients has its faults."""

import ast
import http.client
import inspect
import pathlib
import shutil
import subprocess
import sys
import threading

import client_types
import pytest
from document import DOCUMENT
from gateway import DEADLINE, Gateway, binary, until

HERE = pathlib.Path(__file__).resolve().parent
WEB = HERE.parents[1] / "web"
sys.path.insert(0, str(WEB))
kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # web/ is served

from parley import Parley, ParleyError  # noqa: E402

sys.dont_write_bytecode = kept

# The client follows one stream of all that it is asked for.
WITHOUT_VERB = {"streamSessionEvents", "streamDeskEvents"}


# -- its form

def test_it_needs_the_standard_library_alone_and_the_syntax_of_python_3_9():
    tree = ast.parse((WEB / "parley.py").read_text(), feature_version=(3, 9))
    [for_checkers] = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    tree.body.remove(for_checkers)
    names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)


def mypy(folder, *files):
    """What mypy --strict says of these files, in a folder that has parley.py."""
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", ".cache", *files],
                          cwd=folder, capture_output=True, text=True, timeout=120)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_its_types_are_strict_also_without_the_file_of_the_schemas(tmp_path):
    shutil.copy(WEB / "parley.py", tmp_path)
    assert mypy(tmp_path, "parley.py") == ""
    shutil.copy(WEB / "parley_schemas.pyi", tmp_path)
    assert mypy(tmp_path, "parley.py", "parley_schemas.pyi") == ""


def test_a_checker_knows_the_members_of_answers(tmp_path):
    for file in (WEB / "parley.py", WEB / "parley_schemas.pyi", HERE / "typed.py"):
        shutil.copy(file, tmp_path)
    assert mypy(tmp_path, "typed.py") == ""


def test_the_verbs_have_the_types_of_the_document(tmp_path):
    lines = ["from parley import Parley", "import parley_schemas as schemas", "from typing import assert_type", "parley = Parley()"]
    for name, call, verb, (method, path) in verbs():
        answers = client_types.library_operations()[DOCUMENT.operation(method, path)["operationId"]][2]["responses"]
        good = [DOCUMENT.resolve(one) for status, one in answers.items() if str(status).startswith("2")]
        kinds = {one["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2] for one in good
                 if "application/json" in one.get("content", {})}
        result = inspect.signature(verb).return_annotation
        if inspect.isgeneratorfunction(verb) or name.endswith(".all"):
            continue  # it asks with another verb
        if result == "bytes":
            continue  # a file, whatever its form
        if not kinds:
            assert result in ("None", "bytes"), name
            continue
        [kind] = kinds
        union = kind == "MessagesOrHits"  # with `q` a list of messages is one of what was found
        lines.append(f"at{len(lines)}: schemas.{kind} = {call}" if union else f"assert_type({call}, schemas.{kind})")
    assert len(lines) > 100
    (tmp_path / "calls.py").write_text("\n".join(lines))
    for file in (WEB / "parley.py", WEB / "parley_schemas.pyi"):
        shutil.copy(file, tmp_path)
    assert mypy(tmp_path, "calls.py") == ""


# -- its verbs, and the document's operations

class Noted(Parley):
    """Asks nothing of anybody, and notes what it would ask."""

    def __init__(self):
        super().__init__("http://127.0.0.1:1")
        self.asked = []

    def _exchange(self, method, target, headers, body, timeout, sink):
        self.asked.append((method, target.partition("?")[0]))
        return None, b'{"items": [], "version": 1}'

    def _connect(self, *_):
        raise http.client.HTTPException("streams are not looked at here")


def argument(parameter):
    return {"is_online": True, "content": b"x", "fields": {}, "members": [], "tags": [], "agent": {}, "conversation": {}, "score": 5}.get(parameter.name, "x")


def verbs():
    """(class and name, the call as one writes it, the verb, what it asks) of all verbs of all handles."""
    parley = Noted()
    waiting, known = [(parley, "parley")], {}
    while waiting:
        handle, written = waiting.pop()
        known[type(handle), getattr(handle, "_base", None)] = handle, written
        parts = [(one, f"{written}.{name}") for name, one in vars(handle).items() if hasattr(one, "_base")]
        makers = [name for name in dir(type(handle)) if name in (
            "session", "webhook", "thread", "channel", "customer", "device", "collection", "message")]
        for name in makers:
            made = getattr(handle, name)(*["x"] * (2 if handle is parley and name == "channel" else 1))
            parts += [(made, f"{written}.{name}('x')")] if hasattr(made, "_base") else []
        waiting += [one for one in parts if (type(one[0]), one[0]._base) not in known]
    for handle, written in known.values():
        for name, verb in inspect.getmembers(handle, callable):
            if name.startswith("_") or name in ("request", "back_off", "stream", "events", "url", "save"):
                continue
            parley.asked.clear()
            required = [one for one in inspect.signature(verb).parameters.values()
                        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
            arguments = [argument(one) for one in required]
            result = verb(*arguments)
            if inspect.isgenerator(result):
                next(result, None)
            for asked in parley.asked:
                yield f"{type(handle).__name__}.{name}", f"{written}.{name}({', '.join(map(repr, arguments))})", verb, asked


def test_each_operation_has_a_verb_and_each_verb_asks_what_the_document_knows():
    found = set()
    for name, _, _, (method, path) in verbs():
        operation = DOCUMENT.operation(method, path)
        assert operation, f"{name} asks {method} {path}"
        found.add(operation["operationId"])
    streams = {"streamCollectionEvents", "streamSessionCollectionEvents", "streamDeskCollectionEvents"}
    assert set(client_types.library_operations()) - WITHOUT_VERB - streams - found == set()


# -- a chat

def test_a_chat(gw, tmp_path):
    parley = Parley(gw.origin, gw.token)
    session = parley.session(parley.sessions.create(channel="contract-multi", customer={"firstName": "Ann"})["id"])
    thread = session.thread(session.threads.create(name="My order")["id"])
    at_desk = parley.desk.thread(thread.id)
    (tmp_path / "note.txt").write_bytes(b"Hello, " * 100_000)
    with session.events(types=["message.created"]) as events:
        assert next(events).type == "ready"
        file = session.attachments.upload(tmp_path / "note.txt")
        sent = thread.messages.send(text="With a file", attachments=[{"id": file["id"]}])
        at_desk.messages.send(text="Thanks", agent={"id": "bo", "name": "Bo"})
        # On a busy machine the stream may have been opened again: then another `ready` comes between.
        created = (event for event in events if event.type == "message.created")
        assert [next(created).data["message"]["text"] for _ in range(2)] == ["With a file", "Thanks"]
    assert session.attachments.download(file["id"]) == b"Hello, " * 100_000
    session.attachments.save(file["id"], tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "note.txt").read_bytes()
    assert [one["text"] for one in thread.messages.all(limit=1)] == ["Thanks", "With a file"]
    changed = thread.message(sent["id"]).edit("With one file")
    assert changed["text"] == "With one file"
    collection = session.collection(session.collections.create(kind="messages", threadId=thread.id)["id"])
    shown = collection.follow()
    assert next(shown)[0]["items"] == []
    collection.fetch("previous")
    for known, _ in shown:
        if len(known["items"]) == 2:
            break
    assert sorted(one["text"] for one in known["items"]) == ["Thanks", "With one file"]
    shown.close()
    with pytest.raises(ParleyError, match="#/nme") as caught:
        session.threads.create(nme="x")
    assert not caught.value.temporary and caught.value.errors
    session.delete()


def test_a_unix_socket_of_ones_own_user_needs_no_token(tmp_path):
    served = subprocess.Popen([binary(), "serve", "--listen", f"unix:{tmp_path}/s", "--data", str(tmp_path / "data")],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        parley = Parley(f"unix:{tmp_path}/s", tries=100, delay=0.05)  # it starts meanwhile
        assert parley.info()["name"] == "Parley"
        with parley.desk.events() as events:
            assert next(events).type == "ready"
        (tmp_path / "data" / "token").unlink()
        assert Parley(data=str(tmp_path / "data")).info()["name"] == "Parley"
    finally:
        served.terminate()
        served.wait(DEADLINE)


def test_a_gateway_that_is_killed_again_and_again_loses_nothing_and_does_nothing_twice():
    texts = [f"number {n}" for n in range(60)]
    with Gateway() as gateway:
        parley = Parley(data=str(gateway.folder), delay=0.05, tries=60)
        session = parley.session(parley.sessions.create(channel="multi")["id"])
        thread = session.thread(session.threads.create(name="Order")["id"])
        events = parley.desk.events(types=["message.created"], most=0.1)
        heard = []

        def listen():
            for event in events:
                if event.type == "message.created":
                    heard.append((event.id, event.data["message"]["text"]))

        reader = threading.Thread(target=listen)
        reader.start()
        writer = threading.Thread(target=lambda: [thread.messages.send(text=text) for text in texts])
        writer.start()
        try:
            for enough in (15, 35):
                until(f"{enough} messages", lambda: len(heard) >= enough)
                gateway.kill()
                gateway.start()  # on another port: the client finds it by the data folder
            writer.join(DEADLINE)
            assert not writer.is_alive()
            until("the last message", lambda: len(heard) >= len(texts))
        finally:
            events.close()
            reader.join(DEADLINE)
        assert [text for _, text in heard] == texts
        assert len({id for id, _ in heard}) == len(texts)
        assert [one["text"] for one in thread.messages.all(limit=7)] == texts[::-1]
