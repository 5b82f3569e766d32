"""The shop's people, as tests make them."""

import itertools

COUNT = itertools.count(1)
PASSWORD = "two herons on a green boat"


def invite(gateway, path):
    """The code of a new invitation."""
    made = gateway.call("POST", f"{path}/invite")
    assert made.status == 200, made.text
    return made["url"].rpartition("/")[2]


class Person:
    """A person, signed in by a browser of their own."""

    def __init__(self, gateway, role="agent", **members):
        self.gateway = gateway
        name = f"person-{next(COUNT)}"
        body = {"id": name, "name": name.title(), "email": f"{name}@shop.example", "role": role, **members}
        made = gateway.post("/v1/people", body)
        assert made.status == 201, made.text
        self.id, self.email, self.name = made["id"], made["email"], made["name"]
        self.path = f"/v1/people/{self.id}"
        self.take(gateway.call("POST", f"/auth/invitations/{invite(gateway, self.path)}", {"password": PASSWORD}, token=None))

    def take(self, answer):
        """The halves of a login from the answer to a sign-in."""
        assert answer.status == 200, answer.text
        self.cookie = {"Cookie": answer.header("Set-Cookie").partition(";")[0]}
        self.page = {"Parley-Page": answer["page"]}
        self.login = answer["login"]

    def sign_in(self, password=PASSWORD, email=None):
        return self.gateway.call("POST", "/auth/sign-in", {"email": email or self.email, "password": password}, token=None)

    def call(self, method, path, body=None, *, halves=None, headers=None, **more):
        halves = {**self.cookie, **self.page} if halves is None else halves
        sent = {"Origin": self.gateway.origin, **halves, **(headers or {})}
        return self.gateway.call(method, path, body, token=None, headers=sent, **more)

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.call("POST", path, body, **more)
