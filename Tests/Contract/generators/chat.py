"""A chat by the client that openapi-generator makes for Python. What it found goes to stdout as JSON."""

import datetime
import json
import os

from openapi_client import ApiClient, ApiException, Configuration
from openapi_client import models as m
from openapi_client.api import CollectionsApi, DeskApi, EventsApi, MessagesApi, SessionsApi, ThreadsApi

origin = os.environ["PARLEY_GATEWAY"]
gateway = ApiClient(Configuration(host=origin, access_token=os.environ["PARLEY_TOKEN"]))
request = m.SessionRequest(channel=os.environ["CHANNEL"], customer=m.CustomerRequest(first_name="Ann"))
session = SessionsApi(gateway).create_session(request)

# From here on as a program that was given the session alone.
mine = ApiClient(Configuration(host=origin, access_token=session.token))
threads, messages = ThreadsApi(mine), MessagesApi(mine)
thread = threads.create_thread(session.id, thread_request=m.ThreadRequest(name="Generated"))
first, again = (
    messages.send_message(session.id, thread.id, m.MessageRequest(text="Hello"), idempotency_key=f"key-{thread.id}") for _ in range(2)
)
agent = m.AgentRequest(id="eve", name="Eve")
answer = DeskApi(gateway).send_desk_message(thread.id, m.DeskMessageRequest(text="Hi", agent=agent))
page = messages.list_messages(session.id, thread.id, limit=1).actual_instance
rest = messages.list_messages(session.id, thread.id, limit=1, cursor=page.next).actual_instance
reply = messages.send_reply(session.id, thread.id, answer.id, m.ReplyRequest(text="Thanks"))
replies = messages.list_replies(session.id, thread.id, answer.id, var_from=reply.created_at.isoformat(), inclusive=True)
viewpoints = [1777887000000, "2026-05-04T09:30:00Z"]
collections = [
    CollectionsApi(mine).create_collection(
        session.id, m.CollectionRequest(kind=m.CollectionKind.MESSAGES, thread_id=thread.id, viewpoint=m.Viewpoint(viewpoint)))
    for viewpoint in viewpoints
]
events = EventsApi(mine).stream_session_events(session.id, after=session.cursor)
file = messages.upload_attachment(session.id, file=("plan.txt", b"caf\xe9"))
content = messages.get_attachment(session.id, file.id)
renamed = threads.update_thread(session.id, thread.id, m.ThreadPatch(name=None))
try:
    threads.get_thread(session.id, "none")
    raise SystemExit("no problem")
except ApiException as failure:
    status, problem = failure.status, failure.data

print(json.dumps({
    "customer": session.customer.first_name,
    "repeated": again.id == first.id,
    "texts": [page.items[0].text, rest.items[0].text],
    "author": [page.items[0].author.name, str(page.items[0].direction.value)],
    "replies": [replies.parent.actual_instance.text, replies.items[0].text, replies.items[0].parent_id == answer.id],
    "collections": [each.kind.value for each in collections],
    "events": [each.actual_instance.type for each in events.items][:2],
    "event": events.items[1].actual_instance.data.message.text,
    "file": [file.name, file.size, len(content)],
    "name": renamed.name,
    "time": isinstance(first.created_at, datetime.datetime),
    "problem": [status, problem.code, problem.status],
}))
