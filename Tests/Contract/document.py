"""The document openapi/openapi.yaml, and how an answer is held to it."""

import pathlib
import re
import urllib.parse

import yaml
from jsonschema import Draft202012Validator, FormatChecker

PATH = pathlib.Path(__file__).resolve().parents[2] / "openapi" / "openapi.yaml"
METHODS = ("get", "put", "post", "delete", "patch")


class Document:
    def __init__(self, path=PATH):
        self.raw = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)
        self.operations = [
            (method, template, operation)
            for template, item in self.raw["paths"].items()
            for method, operation in item.items() if method in METHODS
        ]
        # A fixed segment wins over a parameter, as in the gateway's router.
        self._routes = sorted(
            ((self._pattern(template), template) for template in self.raw["paths"]),
            key=lambda route: [segment.startswith("{") for segment in route[1].split("/")])
        self._validators = {}
        # Of what Go reads as a time it cannot check the text, so `Time` has its pattern beside the keywords.
        time = self.raw["components"]["schemas"]["Time"]
        self._components = {**self.raw["components"]}
        self._components["schemas"] = {**self._components["schemas"], "Time": {**time, "pattern": time["x-pattern"]}}

    @staticmethod
    def _pattern(template):
        parts = re.split(r"(\{\w+\})", template)
        return re.compile("".join(
            ("(.+)" if part == "{path}" else "([^/]+)") if part.startswith("{") else re.escape(part)
            for part in parts))

    def resolve(self, node):
        while isinstance(node, dict) and "$ref" in node:
            target = self.raw
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = target
        return node

    def validator(self, schema):
        key = str(schema)
        if key not in self._validators:
            self._validators[key] = Draft202012Validator(
                {**schema, "components": self._components}, format_checker=FormatChecker())
        return self._validators[key]

    def errors(self, schema, value):
        return [f"{fault.json_path}: {fault.message[:300]}" for fault in self.validator(schema).iter_errors(value)]

    def template(self, path):
        path = urllib.parse.urlsplit(path).path
        return next((template for pattern, template in self._routes if pattern.fullmatch(path)), None)

    def operation(self, method, path):
        template = self.template(path)
        item = self.raw["paths"].get(template, {})
        return item.get("get" if method == "HEAD" else method.lower())

    def parameters(self, operation):
        return [self.resolve(parameter) for parameter in operation.get("parameters", [])]

    def check(self, method, path, answer):
        """Status, content type, headers and body of the answer are as documented."""
        where = f"{method} {path} -> {answer}"
        assert answer.header("X-Request-Id"), f"no X-Request-Id: {where}"
        if method == "OPTIONS" and answer.status == 204:
            assert answer.header("Allow"), where
            return
        operation = self.operation(method, path)
        if operation is None:  # no such route or method: a problem all the same
            assert answer.status >= 400, f"not in the document: {where}"
            self.check_problem(method, answer, where)
            return
        response = operation["responses"].get(str(answer.status))
        assert response, f"this status is not documented: {where}"
        response = self.resolve(response)
        for name, header in response.get("headers", {}).items():
            header = self.resolve(header)
            value = answer.header(name)
            assert value is not None or not header.get("required"), f"no {name}: {where}"
            if value is not None and self.resolve(header["schema"])["type"] == "string":
                assert not (faults := self.errors(header["schema"], value)), f"{name}: {faults}: {where}"
        content = response.get("content")
        if method == "HEAD" or not content:
            assert not answer.body, f"a body: {where}"
            return
        # Documents have no way to say "any type" that generators know; a file has the type that it was uploaded with.
        assert answer.kind in content or "application/octet-stream" in content, f"content type {answer.kind}: {where}"
        if answer.kind.endswith("json") and answer.kind != "application/x-ndjson" and answer.kind in content:
            faults = self.errors(content[answer.kind]["schema"], answer.json)
            assert not faults, f"{faults}: {where}"
        if answer.kind == "application/problem+json":
            self.check_problem(method, answer, where)

    def check_problem(self, method, answer, where):
        if method == "HEAD":
            assert not answer.body, where
            return
        assert answer.kind == "application/problem+json", where
        problem = answer.json
        assert not (faults := self.errors({"$ref": "#/components/schemas/Problem"}, problem)), f"{faults}: {where}"
        assert problem["status"] == answer.status, where
        assert problem["instance"] == f"urn:parley:request:{answer.header('X-Request-Id')}", where
        assert problem["type"].endswith(f"/docs/problems/{problem['code']}"), where
        if "retryAfter" in problem:
            assert str(problem["retryAfter"]) == answer.header("Retry-After"), where

    def check_event(self, event):
        """The event's data is as the table `x-events` says."""
        tables = [operation["x-events"] for _, _, operation in self.operations if "x-events" in operation]
        schemas = {str(table[event.name]): table[event.name] for table in tables if event.name in table}
        assert schemas, f"{event} is in no table"
        assert any(not self.errors(schema, event.data) for schema in schemas.values()), \
            f"{event}: {[self.errors(schema, event.data) for schema in schemas.values()]}"


DOCUMENT = Document()
