"""The types of web/parley/schemas.d.ts and of web/parley_schemas.pyi, as openapi/openapi.yaml has them.

`python Tests/Contract/client_types.py` writes both anew; test_client_types.py looks whether they are up to date."""

import json
import pathlib
import textwrap

import python_types
from document import DOCUMENT

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
PATH = WEB / "parley" / "schemas.d.ts"
PYTHON_PATH = WEB / "parley_schemas.pyi"
HEAD = """\
/**
 * What requests and answers hold. `Tests/Contract/client_types.py` makes this file of `openapi.yaml`: do not change it
 * by hand. Times are texts as RFC 3339 has them.
 */
"""
# Tags of operations for which the library has no verbs: pages, signs of life, signing in, the sandbox's faults, assistants.
OTHER_TAGS = {"pages", "operation", "access", "people", "sandbox", "assistants"}
ALSO = {"getInfo"}
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def library_operations():
    """(method, template, operation) of what the library has verbs for, by the operation's name."""
    return {
        operation["operationId"]: (method, template, operation)
        for method, template, operation in DOCUMENT.operations
        if operation["tags"][0] not in OTHER_TAGS or operation["operationId"] in ALSO
    }


def references(node):
    """The names of all schemas that a piece of the document refers to."""
    if isinstance(node, list):
        return {name for one in node for name in references(one)}
    if not isinstance(node, dict):
        return set()
    prefix = "#/components/schemas/"
    own = {node["$ref"].removeprefix(prefix)} if str(node.get("$ref", "")).startswith(prefix) else set()
    return own.union(*(references(value) for key, value in node.items() if key not in ("example", "examples", "links")))


def schema_names(of_requests=True):
    """All schemas that good answers of the library's operations use, and those of their requests."""
    waiting = set()
    for _, _, operation in library_operations().values():
        waiting |= references(operation.get("requestBody", {})) if of_requests else set()
        for status, answer in operation["responses"].items():
            if str(status).startswith("2"):
                waiting |= references(DOCUMENT.resolve(answer))
    known = set()
    while waiting:
        name = waiting.pop()
        known.add(name)
        waiting |= references(DOCUMENT.raw["components"]["schemas"][name]) - known
    return sorted(known)


def type_of(schema):
    """A schema as a TypeScript type."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        values = " | ".join(f"'{value}'" if isinstance(value, str) else json.dumps(value) for value in schema["enum"])
        return f"{values} | (string & {{}})" if schema.get("x-extensible") else values
    for key, sign in (("allOf", " & "), ("oneOf", " | "), ("anyOf", " | ")):
        if key in schema and "properties" not in schema:
            parts = [type_of(one) for one in schema[key]]
            return sign.join(f"({part})" if " | " in part and len(parts) > 1 else part for part in parts)
    if schema.get("format") == "binary":
        return "Blob"
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_of({**schema, "type": one}) for one in kind)
    if kind == "array":
        inner = type_of(schema.get("items", {}))
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object" or "properties" in schema:
        return members(schema)
    return SIMPLE.get(kind, "unknown")


def members(schema):
    rest = schema.get("additionalProperties")
    properties = schema.get("properties", {})
    if not properties:
        return f"Record<string, {type_of(rest) if isinstance(rest, dict) and rest else 'unknown'}>"
    required = schema.get("required", [])
    parts = [f"{name}{'' if name in required else '?'}: {type_of(one)}" for name, one in properties.items()]
    return "{ " + "; ".join(parts) + " }"


def comment(text, indent=""):
    lines = textwrap.wrap(" ".join(str(text).split()).replace("*/", "* /"), 113 - len(indent))
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def declaration(name):
    schema = DOCUMENT.raw["components"]["schemas"][name]
    text = comment(schema["description"]) if "description" in schema else ""
    if not schema.get("properties") or "allOf" in schema:
        return text + wrapped(f"export type {name} = {type_of(schema)};") + "\n"
    required = schema.get("required", [])
    text += f"export interface {name} {{\n"
    for member, one in schema["properties"].items():
        if "description" in one:
            text += comment(one["description"], "  ")
        text += wrapped(f"  {member}{'' if member in required else '?'}: {type_of(one)};") + "\n"
    return text + "}\n"


def wrapped(line):
    """Long unions and objects over several lines."""
    if len(line) <= 120:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return "\n".join(textwrap.wrap(line, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def rendered():
    return HEAD + "\n" + "\n".join(declaration(name) for name in schema_names())


def rendered_for_python():
    return python_types.rendered(schema_names(of_requests=False))


if __name__ == "__main__":
    PATH.write_text(rendered())
    PYTHON_PATH.write_text(rendered_for_python())
