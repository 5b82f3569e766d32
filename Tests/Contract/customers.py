"""What a shop's server does for its customers."""

import base64
import hashlib
import hmac
import json
import time


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def identity_token(secret, header=None, **claims):
    """A JWT that says who a customer is, good for an hour. A claim that is None is left out."""
    claims = {"exp": int(time.time()) + 3600, **claims}
    claims = {name: value for name, value in claims.items() if value is not None}
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"} | (header or {}), claims))
    return f"{signed}.{encoded(hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest())}"


def solve(challenge):
    """The proof that a browser finds for a task."""
    for number in range(challenge["maxNumber"] + 1):
        if hashlib.sha256(f"{challenge['salt']}{number}".encode()).hexdigest() == challenge["challenge"]:
            return {name: challenge[name] for name in ("salt", "challenge", "signature")} | {"number": number}
    raise AssertionError("the task has no solution")
