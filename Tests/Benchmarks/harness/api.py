"""A keep-alive JSON client, for preparing what is measured; never for measuring."""

import http.client
import json

from .processes import Failure


class Api:
    def __init__(self, port, token=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.token = token

    def send(self, method, path, body=None, token=None, tag=None):
        """The answer's headers and bytes. Raises Failure unless it is 2xx, or with a tag 304."""
        headers = {"If-None-Match": tag} if tag else {}
        token = token or self.token
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{method} {path}: {error!r}") from None
        if answer.status // 100 != 2 if not tag else answer.status != 304:
            raise Failure(f"{method} {path}: {answer.status} {content[:300].decode(errors='replace')}")
        return answer.getheaders(), content

    def call(self, method, path, body=None, token=None):
        """The JSON that it answers."""
        content = self.send(method, path, body, token)[1]
        return json.loads(content) if content else None

    def close(self):
        self.connection.close()
