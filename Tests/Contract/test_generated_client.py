"""A client generated from the document compiles, and holds a chat."""

import compileall
import importlib
import io
import re
import subprocess
import sys

import pytest
from document import DOCUMENT, PATH


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The generated package, imported."""
    folder = tmp_path_factory.mktemp("client")
    config = folder / "config.yaml"
    config.write_text("package_name_override: parley_generated\nproject_name_override: parley-generated\npost_hooks: []\n"
                      "content_type_overrides:\n  application/openmetrics-text: text/plain\n  application/x-ndjson: text/plain\n"
                      + "".join(f"  image/{kind}: application/octet-stream\n" for kind in ("png", "jpeg", "webp")))
    done = subprocess.run([sys.executable, "-m", "openapi_python_client", "generate", "--path", str(PATH), "--output-path", str(folder / "out"), "--meta", "none",
                           "--config", str(config), "--fail-on-warning"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "out").rename(folder / "parley_generated")
    assert compileall.compile_dir(folder / "parley_generated", quiet=1)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("parley_generated")
    sys.path.remove(str(folder))


def part(name):
    return importlib.import_module(f"parley_generated.{name}")


def test_every_operation_was_generated(client):
    for _, _, operation in DOCUMENT.operations:
        # Spelled as the generator does it: snake_case of the operationId.
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", operation["operationId"]).lower()
        part(f"api.{operation['tags'][0]}.{name}")


def test_it_holds_a_chat(gw, client):
    models = part("models")
    with client.AuthenticatedClient(base_url=gw.origin, token=gw.token, raise_on_unexpected_status=True) as at:
        session = part("api.sessions.create_session").sync(client=at, body=models.SessionRequest(channel="contract-multi", customer=models.CustomerRequest(first_name="Ann")))
        assert isinstance(session, models.Session) and session.customer.first_name == "Ann"
        # From here on as a program that was given the session alone.
        with client.AuthenticatedClient(base_url=gw.origin, token=session.token, raise_on_unexpected_status=True) as mine:
            thread = part("api.threads.create_thread").sync(session.id, client=mine, body=models.ThreadRequest(name="Generated"))
            assert isinstance(thread, models.ChatThread) and thread.state == models.ThreadState.THREAD_STATE_PENDING
            send = part("api.messages.send_message")
            sent = [send.sync(session.id, thread.id, client=mine, body=models.MessageRequest(text=f"number {number}")) for number in range(5)]
            assert all(isinstance(message, models.Message) for message in sent)

            list_messages = part("api.messages.list_messages").sync
            page = list_messages(session.id, thread.id, client=mine, limit=3)
            rest = list_messages(session.id, thread.id, client=mine, limit=3, cursor=page.next_)
            assert [each.id for each in page.items + rest.items] == [each.id for each in sent][::-1]

            answer = part("api.desk.send_desk_message").sync(thread.id, client=at, body=models.DeskMessageRequest(text="Hi", agent=models.AgentRequest(id="eve", name="Eve")))
            newest = list_messages(session.id, thread.id, client=mine).items[0]
            assert (newest.id, newest.text, newest.author.name, newest.direction) == (answer.id, "Hi", "Eve", models.Direction.DIRECTION_TO_CLIENT)

            renamed = part("api.threads.update_thread").sync(session.id, thread.id, client=mine, body=models.ThreadPatch(name=None))
            assert "name" not in renamed.to_dict()
            problem = part("api.desk.list_desk_threads").sync(client=mine)
            assert isinstance(problem, models.Problem) and problem.code == "forbidden"
            problem = part("api.threads.get_thread").sync(session.id, "none", client=mine)
            assert isinstance(problem, models.Problem) and (problem.status, problem.code) == (404, "unknownThread")
        assert part("api.sessions.delete_session").sync_detailed(session.id, client=at).status_code == 204


def test_it_reads_pages_of_typed_events(gw, client):
    models = part("models")
    with client.AuthenticatedClient(base_url=gw.origin, token=gw.token) as at:
        session = part("api.sessions.create_session").sync(client=at, body=models.SessionRequest(channel="contract-multi"))
        thread = part("api.threads.create_thread").sync(session.id, client=at, body=models.ThreadRequest(name="Pages"))
        part("api.messages.send_message").sync(session.id, thread.id, client=at, body=models.MessageRequest(text="Hello"))
        page = part("api.events.stream_session_events").sync(session.id, client=at, after=session.cursor, limit=100)
        assert isinstance(page, models.EventPage) and not page.has_more
        created, sent, updated = page.items
        assert isinstance(created, models.LoggedThreadCreated) and created.data.thread.name == "Pages"
        assert isinstance(sent, models.LoggedMessageCreated) and sent.data.message.text == "Hello"
        assert isinstance(updated, models.LoggedThreadUpdated) and updated.id == page.cursor


def test_it_sends_a_file(gw, client):
    models, types = part("models"), part("types")
    with client.AuthenticatedClient(base_url=gw.origin, token=gw.token, raise_on_unexpected_status=True) as at:
        session = part("api.sessions.create_session").sync(client=at, body=models.SessionRequest(channel="contract-multi"))
        thread = part("api.threads.create_thread").sync(session.id, client=at, body=models.ThreadRequest())
        form = models.FileForm(file=types.File(payload=io.BytesIO(b"Hello"), file_name="naïve plan.txt", mime_type="text/plain"))
        file = part("api.messages.upload_attachment").sync(session.id, client=at, body=form)
        assert (file.name, file.mime_type, file.size) == ("naïve plan.txt", "text/plain", 5)
        message = models.MessageRequest(attachments=[models.AttachmentReference(id=file.id)])
        sent = part("api.messages.send_message").sync(session.id, thread.id, client=at, body=message)
        assert sent.attachments == [file]
        nameless = models.FileForm(file=types.File(payload=io.BytesIO(b"Hello")))
        assert part("api.desk.upload_desk_attachment").sync(client=at, body=nameless).name == "file"
