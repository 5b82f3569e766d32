"""Files: uploaded as they are, sent with messages, read in parts, and gone with what carried them."""

import base64
import hashlib
import http.client
import json
import os
import socket
import subprocess
import time
import uuid

import httpx
import pytest
import requests
from chat import Chat
from gateway import until

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40


def digest(data, algorithm="sha256"):
    return base64.b64encode(hashlib.new(algorithm, data).digest()).decode()


def upload(chat, data=PNG, kind="image/png", **headers):
    headers = {"Content-Type": kind, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return chat.gateway.post(f"{chat.path}/attachments", raw=data, headers=headers)


def files(gateway):
    return sorted(path.name for path in (gateway.folder / "files").iterdir() if path.is_file())


def begin(gateway, path, length, kind="application/octet-stream"):
    """A connection on which an upload has been announced."""
    link = socket.create_connection((gateway.host, gateway.port), timeout=20)
    link.sendall((f"POST {path} HTTP/1.1\r\nHost: {gateway.authority}\r\nAuthorization: Bearer {gateway.token}\r\n"
                  f"Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n").encode())
    return link


# -- uploading and reading


def test_a_file_comes_back_as_it_was_sent(gw, multi):
    sent = upload(multi, Content_Disposition='attachment; filename="plan.png"', Repr_Digest=f"sha-256=:{digest(PNG)}:")
    assert sent.status == 201 and sent.header("Location") == f"{multi.path}/attachments/{sent['id']}"
    assert {"name": "plan.png", "mimeType": "image/png", "size": len(PNG)}.items() <= sent.json.items()
    got = gw.get(sent.header("Location"))
    assert got.body == PNG and got.kind == "image/png"
    assert got.header("Content-Disposition") == 'inline; filename="plan.png"'
    assert got.header("Repr-Digest") == f"sha-256=:{digest(PNG)}:"
    assert got.header("X-Content-Type-Options") == "nosniff"
    assert got.header("Content-Security-Policy").startswith("sandbox; default-src 'none'")
    again = gw.get(sent.header("Location"), headers={"If-None-Match": got.header("ETag")})
    assert again.status == 304 and again.header("Content-Security-Policy").startswith("sandbox")


@pytest.mark.parametrize("kind, disposition", [
    ("image/jpeg", "inline"), ("video/mp4", "inline"), ("audio/mpeg", "inline"), ("image/svg+xml", "attachment"), ("text/html", "attachment"),
    ("application/pdf", "attachment"), ("text/plain; charset=utf-8", "attachment"), ("application/x-unknown", "attachment")])
def test_only_what_cannot_run_is_shown(gw, multi, kind, disposition):
    got = gw.get(upload(multi, kind=kind).header("Location"))
    assert got.header("Content-Type") == kind and got.header("Content-Disposition").startswith(disposition + ";")


@pytest.mark.parametrize("header, name", [
    (None, "file"), ("attachment", "file"), ('attachment; filename="a b.txt"', "a b.txt"), ("attachment; filename=a.txt", "a.txt"),
    ("attachment; filename*=UTF-8''na%C3%AFve%20plan.txt", "naïve plan.txt"),
    ("attachment; filename=\"old.txt\"; filename*=utf-8'de'neu.txt", "neu.txt"),
    ('inline;filename="say \\"hi\\".txt" ; x=y', 'say "hi".txt'),
    ('attachment; filename="../../etc/passwd"', "passwd"), ('attachment; filename="C:\\\\temp\\\\a.txt"', "a.txt"),
    ('attachment; filename=".."', "file"), ("attachment; filename*=UTF-8''a%0D%0AX-Evil%3A%201.txt", "aX-Evil: 1.txt"),
    ("attachment; filename*=UTF-8''a%00b%E2%80%AEgpj.exe", "abgpj.exe"),
    ("attachment; filename*=UTF-8''" + "x" * 400 + ".txt", "x" * 251 + ".txt")])
def test_names_are_labels(gw, multi, header, name):
    sent = upload(multi, b"x", "text/plain", **({"Content_Disposition": header} if header else {}))
    assert sent.status == 201 and sent["name"] == name
    got = gw.get(sent.header("Location"))
    assert got.body == b"x" and "X-Evil" not in got.headers
    if not name.isascii():
        assert "filename*=UTF-8''na%C3%AFve%20plan.txt" in got.header("Content-Disposition")


@pytest.mark.parametrize("header", [
    "", ";", "attachment filename=a", "attachment; filename", 'attachment; filename="a', "attachment; filename=a; filename=b", "attachment; =a",
    "attachment; filename*=a", "attachment; filename*=latin1''a", "attachment; filename*=UTF-8''%zz", "attachment; filename*=UTF-8''%C3",
    "attachment; filename*=UTF-8''%+1", "attachment; filename=a b"])
def test_a_malformed_disposition_is_refused(gw, multi, header):
    assert (upload(multi, Content_Disposition=header).status, upload(multi, Content_Disposition=header).code) == (400, "invalidHeader")


@pytest.mark.parametrize("kind", [None, "text", "text/", "/x", "text/plain; x", "text/pl ain", 'text/plain; a="'])
def test_a_file_has_a_type(gw, multi, kind):
    assert upload(multi, kind=kind).code == "unsupportedMediaType"


@pytest.mark.parametrize("value, code", [
    (f"sha-256=:{digest(b'other')}:", "digestMismatch"), (f"sha-512=:{digest(PNG, 'sha512')}:", None),
    (f"sha-512=:{digest(b'other', 'sha512')}:", "digestMismatch"), (f"md5=:{digest(PNG, 'md5')}:, sha-256=:{digest(PNG)}:", None),
    (f"md5=:{digest(b'', 'md5')}:", None), ("sha-256=abc", "invalidHeader"), ("sha-256=:!:", "invalidHeader"), ("sha-256=:YQ==:", "invalidHeader"),
    ("nonsense", "invalidHeader"), ("", "invalidHeader")])
def test_a_digest_is_verified(own, value, code):
    chat = Chat(own, "contract-multi")
    sent = upload(chat, Repr_Digest=value)
    assert sent.code == code
    assert len(files(own)) == (0 if code else 1) and list((own.folder / "files" / "incoming").iterdir()) == []


def test_ranges(gw, multi):
    data = bytes(range(100))
    path = upload(multi, data, "application/octet-stream").header("Location")
    tag = gw.get(path).header("ETag")

    def part(value, **more):
        return gw.get(path, headers={"Range": value, **more})

    for value, span in (("bytes=0-9", (0, 10)), ("bytes=90-", (90, 100)), ("bytes=-5", (95, 100)), ("bytes=50-1000", (50, 100)),
                        ("Bytes=0-0", (0, 1)), ("bytes=-1000", (0, 100))):
        answer = part(value)
        assert answer.status == 206 and answer.body == data[slice(*span)], value
        assert answer.header("Content-Range") == f"bytes {span[0]}-{span[1] - 1}/100" and answer.header("ETag") == tag
    for value in ("bytes=100-", "bytes=-0", "bytes=1000-2000", f"bytes={10**30}-"):
        answer = part(value)
        assert answer.code == "rangeNotSatisfiable" and answer.header("Content-Range") == "bytes */100", value
    for value in ("bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=", "bytes=-", "0-5", "bytes=+1-2"):
        assert (part(value).status, part(value).body) == (200, data), value
    assert part("bytes=0-9", **{"If-Range": tag}).status == 206
    assert part("bytes=0-9", **{"If-Range": '"other"'}).status == 200
    assert part("bytes=0-9", **{"If-Range": "Sat, 29 Oct 1994 19:43:31 GMT"}).status == 200
    head = gw.call("HEAD", path, headers={"Range": "bytes=0-9"})
    assert head.status == 200 and head.header("Content-Length") == "100"


# -- what a channel takes


@pytest.fixture(scope="module")
def strict(gw):
    for id, restrictions in (("strict", {"maximumSize": 1000, "allowedTypes": ["image/*", "application/PDF"]}), ("none", {"isAttachmentsEnabled": False})):
        answer = gw.post("/v1/desk/channels", {"id": f"files-{id}", "mode": "multithread", "fileRestrictions": restrictions})
        assert answer.status == 201
    assert answer["fileRestrictions"] == {"isAttachmentsEnabled": False, "maximumSize": 40 << 20, "allowedTypes": ["*/*"]}
    return Chat(gw, "files-strict")


def test_a_channels_restrictions_hold(gw, strict):
    assert upload(strict, b"x" * 1000, "image/png").status == 201
    assert upload(strict, b"x", "Image/GIF").status == 201
    assert upload(strict, b"x", "application/pdf; version=1").status == 201
    large = upload(strict, b"x" * 1001, "image/png")
    assert (large.status, large.code) == (413, "invalidFileSize")
    assert (upload(strict, b"x", "text/plain").status, upload(strict, b"x", "text/plain").code) == (422, "invalidFileType")
    assert upload(strict, b"x", "imagex/png").code == "invalidFileType"
    off = upload(Chat(gw, "files-none"), b"x", "image/png")
    assert (off.status, off.code) == (409, "attachmentError")


def test_a_chunked_body_that_is_too_large_is_refused(gw, strict):
    connection = http.client.HTTPConnection(gw.host, gw.port, timeout=20)
    headers = {"Authorization": f"Bearer {gw.token}", "Content-Type": "image/png"}
    connection.request("POST", f"{strict.path}/attachments", body=iter([b"x" * 600] * 3), headers=headers, encode_chunked=True)
    answer = connection.getresponse()
    assert answer.status == 413 and b"invalidFileSize" in answer.read()
    connection.request("POST", f"{strict.path}/attachments", body=iter([b"x" * 400] * 2), headers=headers, encode_chunked=True)
    answer = connection.getresponse()
    assert answer.status == 201 and b'"size":800' in answer.read()
    connection.close()


@pytest.mark.parametrize("length, status, code", [
    (0, 422, b"emptyFile"), ((40 << 20) + 1, 413, b"invalidFileSize"), (1 << 50, 413, b"invalidFileSize")])
def test_the_size_is_refused_before_the_body_is_sent(gw, multi, length, status, code):
    with begin(gw, f"{multi.path}/attachments", length) as link:
        link.settimeout(10)
        answer = link.recv(65536)
    assert answer.startswith(f"HTTP/1.1 {status}".encode()) and code in answer
    assert b"100 Continue" not in answer


def test_the_desks_files_are_held_to_the_threads_channel(gw, strict):
    _, at_desk = strict.open()
    text = gw.post("/v1/desk/attachments", raw=b"hi", headers={"Content-Type": "text/plain"})
    assert text.status == 201 and text.header("Location") == f"/v1/desk/attachments/{text['id']}"
    refused = gw.post(f"{at_desk}/messages", {"attachments": [{"id": text["id"]}]})
    assert (refused.status, refused.code) == (422, "invalidFileType")
    image = gw.post("/v1/desk/attachments", raw=b"hi", headers={"Content-Type": "image/png"})["id"]
    assert gw.post(f"{at_desk}/messages", {"attachments": [{"id": image}]}).status == 201


# -- with messages


def test_a_message_carries_files(gw, multi):
    thread, at_desk = multi.open()
    one, two = upload(multi).json, upload(multi, b"second", "text/plain").json
    with gw.events(f"{multi.path}/events") as events:
        events.wait("ready")
        sent = gw.post(f"{thread}/messages", {"attachments": [{"id": one["id"]}, {"id": two["id"]}]})
        assert sent.status == 201 and sent["type"] == "file" and "text" not in sent.json and sent["attachments"] == [one, two]
        assert events.wait("message.created").data["message"] == sent.json
        assert events.wait("thread.updated").data["thread"]["lastMessage"]["type"] == "file"
    assert gw.get(f"{at_desk}/messages")["items"][0]["attachments"] == [one, two]
    assert gw.get(f"/v1/desk/attachments/{one['id']}").body == PNG
    captioned = gw.post(f"{thread}/messages", {"text": "Look", "attachments": [{"id": upload(multi)["id"]}]}).json
    assert (captioned["type"], captioned["text"]) == ("file", "Look")


def test_an_attachment_belongs_to_its_uploader_and_to_one_message(gw, multi):
    thread, at_desk = multi.open()
    other = Chat(gw, "contract-multi")
    theirs, _ = other.open()
    file = upload(multi)["id"]
    assert gw.get(f"{other.path}/attachments/{file}").code == "unknownAttachment"
    assert gw.get(f"/v1/desk/attachments/{file}").code == "unknownAttachment"
    assert gw.post(f"{theirs}/messages", {"attachments": [{"id": file}]}).code == "unknownAttachment"
    assert gw.post(f"{at_desk}/messages", {"attachments": [{"id": file}]}).code == "unknownAttachment"
    body = {"id": str(uuid.uuid4()), "attachments": [{"id": file}]}
    assert gw.post(f"{thread}/messages", body).status == 201
    assert gw.post(f"{thread}/messages", body).status == 200
    assert gw.post(f"{thread}/messages", {**body, "text": "more"}).code == "messageIdConflict"
    assert gw.post(f"{thread}/messages", {"attachments": [{"id": file}]}).code == "attachmentInUse"
    assert gw.get(f"{other.path}/attachments/{file}").code == "unknownAttachment"
    assert gw.get(f"/v1/desk/attachments/{file}").status == 200
    twice = upload(multi)["id"]
    assert gw.post(f"{thread}/messages", {"attachments": [{"id": twice}, {"id": twice}]}).code == "invalidParameter"
    assert gw.post(f"{thread}/messages", {"attachments": []}).status == 422
    assert gw.post(f"{thread}/messages", {"attachments": [{"id": twice}] * 31}).status == 422


def test_a_file_goes_with_its_message(own):
    chat = Chat(own, "contract-multi")
    thread, _ = chat.open()
    file = upload(chat)["id"]
    message = own.post(f"{thread}/messages", {"attachments": [{"id": file}]})["id"]
    assert files(own) == [file]
    assert own.delete(f"{thread}/messages/{message}").status == 204
    assert own.get(f"{chat.path}/attachments/{file}").code == "unknownAttachment"
    until("the file to go", lambda: files(own) == [])


def test_an_upload_with_a_key_happens_once(own):
    chat = Chat(own, "contract-multi")
    first = upload(chat, Idempotency_Key="k1")
    again = upload(chat, Idempotency_Key="k1")
    assert again.status == 201 and again.json == first.json and again.header("Idempotency-Replayed") == "true"
    assert again.header("Location") == first.header("Location")
    assert upload(chat, b"other", Idempotency_Key="k1").code == "idempotencyKeyReused"
    assert upload(chat, kind="image/gif", Idempotency_Key="k1").code == "idempotencyKeyReused"
    assert files(own) == [first["id"]]
    assert list((own.folder / "files" / "incoming").iterdir()) == []


def test_a_session_that_is_not_connected_takes_no_file(gw):
    off = gw.post("/v1/sessions", {"channel": "contract-multi", "connect": False}).json
    answer = gw.post(f"/v1/sessions/{off['id']}/attachments", raw=b"x", headers={"Content-Type": "text/plain"})
    assert answer.code == "notConnected"


# -- size and failure


def resident(gateway):
    """The greatest memory that the gateway has had, in KiB."""
    with open(f"/proc/{gateway.process.pid}/status") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1])


@pytest.mark.parametrize("kind, before_it, after_it", [
    ("application/octet-stream", b"", b""), ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=file\r\n\r\n", b"\r\n--x--")],
    ids=["alone", "form"])
def test_a_great_file_needs_no_great_memory(own, kind, before_it, after_it):
    own.post("/v1/desk/channels", {"id": "large", "mode": "multithread", "fileRestrictions": {"maximumSize": 200 << 20}})
    chat = Chat(own, "large")
    upload(chat)
    before = resident(own)
    block = os.urandom(1 << 20)
    whole = hashlib.sha256()
    link = begin(own, f"{chat.path}/attachments", len(before_it) + (100 << 20) + len(after_it), kind)
    link.sendall(before_it)
    for index in range(100):
        link.sendall(block)
        whole.update(block)
    link.sendall(after_it)
    answer = link.recv(65536)
    assert answer.startswith(b"HTTP/1.1 201"), answer
    id = answer.partition(b'"id":"')[2].partition(b'"')[0].decode()
    link.close()
    connection = http.client.HTTPConnection(own.host, own.port, timeout=30)
    connection.request("GET", f"{chat.path}/attachments/{id}", headers={"Authorization": f"Bearer {own.token}"})
    response, got = connection.getresponse(), hashlib.sha256()
    while piece := response.read(1 << 20):
        got.update(piece)
    assert got.digest() == whole.digest()
    assert resident(own) - before < 24 << 10


def test_others_are_served_while_a_file_is_sent_slowly(own):
    chat = Chat(own, "contract-multi")
    thread, _ = chat.open()
    file = upload(chat, os.urandom(30 << 20))["id"]
    links = [begin(own, f"{chat.path}/attachments", 30 << 20) for _ in range(20)]
    readers = []
    for link in links:
        link.sendall(b"x" * 100_000)
        reader = socket.create_connection((own.host, own.port), timeout=20)
        reader.sendall((f"GET {chat.path}/attachments/{file} HTTP/1.1\r\nHost: {own.authority}\r\n"
                        f"Authorization: Bearer {own.token}\r\n\r\n").encode())
        readers.append(reader)
    start = time.monotonic()
    for _ in range(20):
        chat.say(thread)
    assert time.monotonic() - start < 5
    for link in links + readers:
        link.close()
    until("what was received to go", lambda: list((own.folder / "files" / "incoming").iterdir()) == [])


def test_a_client_that_goes_in_the_middle_leaves_nothing(own):
    chat = Chat(own, "contract-multi")
    link = begin(own, f"{chat.path}/attachments", 10 << 20)
    link.sendall(os.urandom(4 << 20))
    until("the file to grow", lambda: any(path.stat().st_size > 1 << 20 for path in (own.folder / "files" / "incoming").iterdir()))
    link.close()
    until("what was received to go", lambda: list((own.folder / "files" / "incoming").iterdir()) == [])
    assert files(own) == []


# -- damaged on the disk


def test_a_file_that_lost_its_end_is_an_error(gw, multi):
    before = set(files(gw))
    sent = upload(multi, data=PNG)
    (name,) = set(files(gw)) - before
    os.truncate(gw.folder / "files" / name, 100)
    said = gw.count_in_log("storageFailed")
    got = gw.get(sent.header("Location"))
    assert (got.status, got.code) == (500, "storageFailed")
    gw.wait_for_log("storageFailed", said + 1)


# -- in a form


FORM = "multipart/form-data; boundary=x"


def form(data=PNG, part='name="file"; filename="plan.png"', kind="image/png"):
    head = f"Content-Disposition: form-data; {part}\r\n" + (f"Content-Type: {kind}\r\n" if kind else "")
    return f"--x\r\n{head}\r\n".encode() + data + b"\r\n--x--\r\n"


def by_curl(address, token, path, kind):
    told = subprocess.run(["curl", "-sS", address, "-H", f"Authorization: Bearer {token}", "-F", f'file=@"{path}";type={kind}'],
                          capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def by_library(library):
    def send(address, token, path, kind):
        with open(path, "rb") as file:
            answer = library.post(address, headers={"Authorization": f"Bearer {token}"}, files={"file": (path.name, file, kind)}, timeout=60)
        assert answer.status_code == 201, answer.text
        return answer.json()
    return send


@pytest.mark.parametrize("send", [by_curl, by_library(requests), by_library(httpx)], ids=["curl", "requests", "httpx"])
@pytest.mark.parametrize("name", ["plan.png", "naïve plan.png", "100%.png", "a;b='c'.png", "no ending"])
@pytest.mark.parametrize("side", ["session", "desk"])
def test_programs_upload_forms(gw, multi, tmp_path, send, name, side):
    path = tmp_path / name
    path.write_bytes(PNG)
    at = f"{multi.path}/attachments" if side == "session" else "/v1/desk/attachments"
    sent = send(gw.origin + at, gw.token, path, "image/png")
    assert {"name": name, "mimeType": "image/png", "size": len(PNG)}.items() <= sent.items()
    got = gw.get(f"{at}/{sent['id']}")
    assert got.body == PNG and got.kind == "image/png"


def test_a_library_need_not_tell_name_and_type(gw, multi):
    for library in (requests, httpx):
        address, head = f"{gw.origin}{multi.path}/attachments", {"Authorization": f"Bearer {gw.token}"}
        sent = library.post(address, headers=head, files={"file": ("a.bin", b"hello")}).json()
        assert (sent["name"], sent["mimeType"]) == ("a.bin", "application/octet-stream")
        sent = library.post(address, headers=head, files={"file": (None, b"hello")}).json()
        assert (sent["name"], sent["mimeType"]) == ("file", "application/octet-stream")


def test_a_form_and_the_file_alone_are_one_upload(own):
    chat = Chat(own, "contract-multi")
    alone = upload(chat, Idempotency_Key="k1", Content_Disposition='attachment; filename="plan.png"')
    again = upload(chat, form(), FORM, Idempotency_Key="k1")
    assert again.status == 201 and again.json == alone.json and again.header("Idempotency-Replayed") == "true"
    # Each program makes a boundary of its own each time.
    other = upload(chat, form().replace(b"--x", b"--yy"), "multipart/form-data; boundary=yy", Idempotency_Key="k1")
    assert other.json == alone.json and other.header("Idempotency-Replayed") == "true"
    assert upload(chat, form(b"other"), FORM, Idempotency_Key="k1").code == "idempotencyKeyReused"
    assert upload(chat, form(kind="image/gif"), FORM, Idempotency_Key="k1").code == "idempotencyKeyReused"
    right = upload(chat, form(), FORM, Repr_Digest=f"sha-256=:{digest(PNG)}:")
    assert {**right.json, "id": None} == {**alone.json, "id": None}
    assert upload(chat, form(), FORM, Repr_Digest=f"sha-256=:{digest(form())}:").code == "digestMismatch"
    assert upload(chat, form(), FORM, Content_Disposition='attachment; filename="b.png"')["name"] == "b.png"
    assert len(files(own)) == 3 and list((own.folder / "files" / "incoming").iterdir()) == []


def test_a_channels_restrictions_hold_in_forms(gw, strict):
    assert upload(strict, form(b"x" * 1000), FORM).status == 201
    # A little more is not known to be too much before its end; much more is refused at once.
    for size in (1001, 1000 + (16 << 10), 1 << 20):
        large = upload(strict, form(b"x" * size), FORM)
        assert (large.status, large.code) == (413, "invalidFileSize"), size
    assert upload(strict, form(b""), FORM).code == "emptyFile"
    refused = upload(strict, form(b"x", kind="text/plain"), FORM)
    assert (refused.status, refused.code) == (422, "invalidFileType")
    with begin(gw, f"{Chat(gw, 'files-none').path}/attachments", 1000, FORM) as link:
        link.settimeout(10)
        assert b"attachmentError" in link.recv(65536)


@pytest.mark.parametrize("body, code, detail", [
    (b"--x--", "invalidForm", "no field file"), (form()[:-10], "invalidForm", "ends early"), (b"", "emptyFile", "no bytes"),
    (form()[:-7] + form(), "invalidForm", "two files"), (form(part='name="photo"; filename="a"'), "unknownMember", "curl -F file=@"),
    (form(part='filename="a"'), "invalidForm", "name="), (form(part='name="file"; filename*=a'), "invalidHeader", "RFC 8187"),
    (form(kind="multipart/mixed; boundary=y"), "unsupportedMediaType", "multipart/mixed"), (form(kind="png"), "unsupportedMediaType", "own type"),
    (form(part='name="file"; filename="' + "a" * 9000 + '"'), "invalidForm", "8192"), (PNG, "invalidForm", "--x"),
    (form(kind="image/png\r\nContent-Transfer-Encoding: base64"), "invalidForm", "Content-Transfer-Encoding")],
    ids=lambda value: value if isinstance(value, str) else "form")
def test_a_broken_form_is_refused(own, body, code, detail):
    refused = upload(Chat(own, "contract-multi"), body, FORM)
    assert refused.code == code and detail in refused["detail"], refused.json
    assert files(own) == [] and list((own.folder / "files" / "incoming").iterdir()) == []


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=" + "x" * 71])
def test_a_form_needs_a_boundary(gw, multi, kind):
    refused = upload(multi, form(), kind)
    assert (refused.status, refused.code) == (400, "invalidForm") and "boundary" in refused["detail"]


def test_another_form_is_not_taken_for_a_file(gw, multi):
    for kind in ("multipart/mixed; boundary=x", "application/x-www-form-urlencoded"):
        refused = upload(multi, data=form(), kind=kind)
        assert (refused.status, refused.code) == (415, "unsupportedMediaType")
        assert "curl -F file=@" in refused["detail"] and "--data-binary @" in refused["detail"]


def test_a_page_elsewhere_cannot_post_a_form(gw, multi):
    """A browser sends a form to any host without asking there first."""
    refused = upload(multi, form(), FORM, Origin="http://elsewhere.example")
    assert (refused.status, refused.code) == (403, "foreignOrigin")
