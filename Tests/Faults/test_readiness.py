"""What /readyz says while something that requests need does not work."""

import http.client

from serving import Chat, until


def test_not_ready_while_no_file_can_be_stored(gw):
    """Whoever sends requests here must learn it: messages go through, files do not."""
    chat = Chat(gw)
    incoming = gw.folder / "files" / "incoming"

    def upload():
        connection = http.client.HTTPConnection(gw.host, gw.port, timeout=20)
        connection.request("POST", f"{chat.path}/attachments", b"bytes", {
            "Authorization": f"Bearer {chat.token}", "Content-Type": "text/plain"})
        return connection.getresponse().status

    assert upload() == 201 and gw.get("/readyz", token=None).status == 200
    incoming.rmdir()
    incoming.write_text("in the way")
    assert upload() == 500
    refused = gw.get("/readyz", token=None)
    assert refused.status == 503 and b"files (" in refused.body and b"Not a directory" in refused.body
    incoming.unlink()
    # It finds out by itself, and makes the folder again.
    until("the gateway to be ready", lambda: gw.get("/readyz", token=None).status == 200)
    assert upload() == 201
