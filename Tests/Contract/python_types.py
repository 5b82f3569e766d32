"""The types of web/parley_schemas.pyi: what the document says of answers, as TypedDicts. See client_types.py."""

import json
import keyword
import textwrap

from document import DOCUMENT

HEAD = '''\
"""What the gateway's answers hold, for type checkers and editors that find this file beside parley.py. At run time there is
no such module: import from it under `if TYPE_CHECKING:`. Times are texts as RFC 3339 has them.

`Tests/Contract/client_types.py` makes this file of `openapi.yaml`: do not change it by hand."""

from typing import Any, Generic, Literal, TypeVar
from typing_extensions import NotRequired, TypedDict

_Item = TypeVar("_Item")

class Page(TypedDict, Generic[_Item]):
    """One page of any list that has several."""
    items: list[_Item]
    next: NotRequired[str]
'''
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
SCHEMAS = DOCUMENT.raw["components"]["schemas"]
# Of a message or a thread the document names the id alone: a checker would refuse all other members.
OPEN = {"CollectionItem": "dict[str, Any]"}


def type_of(schema, name, also):
    """A schema as a type. Objects that have no name of their own get one, `name`, and a class in `also`."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    if "enum" in schema:
        return "str" if schema.get("x-extensible") else f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
    for key in ("oneOf", "anyOf"):
        if key in schema and "properties" not in schema:
            parts = [type_of(one, f"{name}{at}", also) for at, one in enumerate(schema[key], 1)]
            return " | ".join(dict.fromkeys(parts))
    if len(schema.get("allOf", [])) == 1 and "properties" not in schema:
        return type_of(schema["allOf"][0], name, also)
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_of({**schema, "type": one}, name, also) for one in kind)
    if kind == "array":
        return f"list[{type_of(schema.get('items', {}), name, also)}]"
    if "properties" in schema or "allOf" in schema:
        also.append(class_of(name, schema, also))
        return name
    if kind == "object":
        rest = schema.get("additionalProperties")
        return f"dict[str, {type_of(rest, name, also) if isinstance(rest, dict) and rest else 'Any'}]"
    return SIMPLE.get(kind, "Any")


def class_of(name, schema, also):
    parts = schema.get("allOf", [])
    bases = [type_of(one, f"{name}Part{at}", also) for at, one in enumerate(parts) if "$ref" in one or "properties" in one]
    required = {one for part in [schema, *parts] for one in part.get("required", [])}
    lines = [f"class {name}({', '.join(bases) or 'TypedDict'}):"]
    if "description" in schema:
        lines.append(textwrap.indent(textwrap.fill(f'"""{" ".join(schema["description"].split())}"""', 116), "    "))
    for member, one in schema.get("properties", {}).items():
        assert member.isidentifier() and not keyword.iskeyword(member), f"{name}.{member} needs another form"
        kind = type_of(one, name + member[0].upper() + member[1:], also)
        lines.append(f"    {member}: {kind if member in required else f'NotRequired[{kind}]'}")
    return "\n".join(lines if len(lines) > 1 else [lines[0] + " ..."]) + "\n"


def declaration(name):
    also, schema = [], SCHEMAS[name]
    if name in OPEN:
        return f"{name} = {OPEN[name]}"
    if "properties" in schema or len(schema.get("allOf", [])) > 1:
        own = class_of(name, schema, also)
    else:
        own = f"{name} = {type_of(schema, name, also)}"
    return "\n".join([*also, own])


def rendered(names):
    return HEAD + "\n" + "\n".join(declaration(name) for name in names) + "\n"
