"""Keys of programs, as tests make them."""


class Key:
    """A key, which asks as its holder."""

    def __init__(self, gateway, *scopes, name="test", **members):
        self.gateway = gateway
        made = gateway.post("/v1/keys", {"name": name, "scopes": list(scopes), **members})
        assert made.status == 201, made.text
        self.json, self.id, self.text = made.json, made["id"], made["secret"]
        self.path = f"/v1/keys/{self.id}"

    def call(self, method, path, body=None, **more):
        return self.gateway.call(method, path, body, token=self.text, **more)

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.call("POST", path, body, **more)

    def delete(self, path, **more):
        return self.call("DELETE", path, **more)

    def end(self):
        assert self.gateway.delete(self.path).status == 204
