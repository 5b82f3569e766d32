"""The document by itself: it is valid, keeps the rules that client generators need, and its examples are true."""

import re

import pytest
from document import DOCUMENT
from openapi_spec_validator import validate

RAW = DOCUMENT.raw
COMPONENTS = RAW["components"]


def of_each_operation(check):
    """Makes one test of a check of operations: as a test for each, they took more time than what they look at."""

    def test():
        found = []
        for method, path, operation in DOCUMENT.operations:
            try:
                check(method, path, operation)
            except AssertionError as error:
                found.append(f"{operation['operationId']}: {error}")
        assert not found, "\n".join(found)

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    return test


def walk(node, path="#"):
    yield path, node
    if isinstance(node, dict):
        for name, child in node.items():
            yield from walk(child, f"{path}/{name}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from walk(child, f"{path}/{index}")


def schemas():
    """Every schema of the document, with those inside it; what stands in examples is none."""
    starts = [(f"#/components/schemas/{name}", schema) for name, schema in COMPONENTS["schemas"].items()]
    starts += [(path, node["schema"]) for path, node in walk(RAW)
               if isinstance(node, dict) and isinstance(node.get("schema"), dict)]
    for start, schema in starts:
        for path, node in walk(schema, start):
            if isinstance(node, dict) and not re.search(r"/properties$|/(default|enum|example)(/|$)", path):
                yield path, node


SCHEMAS = list(schemas())


def examples(holder):
    if "example" in holder:
        yield holder["example"]
    for example in holder.get("examples", {}).values():
        yield DOCUMENT.resolve(example)["value"]


def test_is_valid_openapi():
    assert RAW["openapi"].startswith("3.1.")
    validate(RAW)


def test_operation_ids_are_unique_lower_camel():
    ids = [operation["operationId"] for _, _, operation in DOCUMENT.operations]
    assert len(ids) == len(set(ids))
    assert [id for id in ids if not re.fullmatch(r"[a-z][A-Za-z0-9]*", id)] == []


@of_each_operation
def test_operation_is_described(method, path, operation):
    assert len(operation["tags"]) == 1 and operation["tags"][0] in [tag["name"] for tag in RAW["tags"]]
    assert 0 < len(operation["summary"]) <= 60
    assert operation["description"]
    parameters = DOCUMENT.parameters(operation)
    assert all(parameter.get("description") for parameter in parameters)
    in_path = [parameter["name"] for parameter in parameters if parameter["in"] == "path"]
    assert in_path == re.findall(r"\{(\w+)\}", path)
    assert all("example" in parameter for parameter in parameters if parameter["in"] == "path")


@of_each_operation
def test_operation_has_all_answers(method, path, operation):
    responses = operation["responses"]
    platform = "x-platform" in operation  # its answers are another platform's
    assert responses["default"] == {"$ref": "#/components/responses/Problem"}
    wanted = {"400", "403", "405", "421", "500", "503"}
    if operation.get("security") != []:
        wanted |= {"401", "429"}
    if "requestBody" in operation:
        wanted |= {"408", "413", "415", "422"}
    if re.search(r"\{(?!path|code)", path) or platform:
        wanted |= {"404"}
    names = [parameter["name"] for parameter in DOCUMENT.parameters(operation)]
    if "If-Match" in names:
        wanted |= {"412"}
    if "If-None-Match" in names:
        wanted |= {"304"}
        assert "ETag" in responses["200"]["headers"]
    if "Idempotency-Key" in names:
        wanted |= {"409", "422"}
        good = [DOCUMENT.resolve(response) for status, response in responses.items() if status.startswith("2")]
        assert all("Idempotency-Replayed" in response["headers"] for response in good)
    assert wanted <= set(responses)
    for status, response in responses.items():
        if status[0] in "45" and status not in ("410", "503"):
            assert list(response) == ["$ref"], f"{status} is not a shared response"
            kinds = list(DOCUMENT.resolve(response)["content"])
            assert kinds == ["application/problem+json"] or (platform and kinds[0] == "application/json")
        assert "X-Request-Id" in DOCUMENT.resolve(response)["headers"]


@of_each_operation
def test_writing_posts_take_an_idempotency_key(method, path, operation):
    names = [parameter["name"] for parameter in DOCUMENT.parameters(operation)]
    stores_nothing = path.startswith("/auth/") or path.endswith(("/batch", "/tickets", "/me/password", "/visitors", "/identity")) or "x-platform" in operation
    writes = method == "post" and not stores_nothing
    assert ("Idempotency-Key" in names) == writes


@of_each_operation
def test_operation_has_valid_examples(method, path, operation):
    holders = list(operation.get("requestBody", {}).get("content", {}).values())
    for status, response in operation["responses"].items():
        content = DOCUMENT.resolve(response).get("content", {})
        if content:
            assert any(list(examples(media)) for media in content.values()), f"{status} has no example"
        holders += content.values()
    for holder in holders + DOCUMENT.parameters(operation):
        for example in examples(holder):
            assert DOCUMENT.errors(holder["schema"], example) == []
    for media in operation.get("requestBody", {}).get("content", {}).values():
        assert list(examples(media))


def test_objects_say_whether_they_are_open():
    silent = [path for path, schema in SCHEMAS if schema.get("type") == "object" and "additionalProperties" not in schema]
    assert silent == []


def test_requests_are_closed_and_answers_open():
    def reach(schema, found):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if name not in found:
                found.add(name)
                reach(COMPONENTS["schemas"][name], found)
            return found
        for child in schema.values():
            for each in child if isinstance(child, list) else child.values() if isinstance(child, dict) else []:
                if isinstance(each, dict):
                    reach(each, found)
            if isinstance(child, dict) and "$ref" in child:
                reach(child, found)
        return found

    sent, answered = set(), set()
    for _, _, operation in DOCUMENT.operations:
        for media in operation.get("requestBody", {}).get("content", {}).values():
            reach(media["schema"], sent)
        for response in operation["responses"].values():
            for media in DOCUMENT.resolve(response).get("content", {}).values():
                reach(media["schema"], answered)
    both = COMPONENTS["schemas"]
    # Browsers write these, and may add members.
    sent -= {"PushSubscription", "PushKeys"}
    assert [name for name in sent if both[name].get("properties") and both[name]["additionalProperties"] is not False] == []
    assert [name for name in answered if both[name].get("properties") and both[name]["additionalProperties"] is not True] == []


def test_links_have_no_request_body():
    """openapi-generator refuses a document in which one is no string; the member `x-requestBody` says the same."""
    assert [name for name, link in COMPONENTS["links"].items() if "requestBody" in link] == []


def test_no_schema_is_called_as_what_languages_have_already():
    """A class of such a name hides the language's own, which generated code needs: `Thread` did so in Java."""
    java = {"Boolean", "Byte", "Character", "Class", "Double", "Enum", "Error", "Exception", "Float", "Integer", "Iterable", "Long", "Math",
            "Module", "Number", "Object", "Override", "Package", "Process", "Record", "Runnable", "Runtime", "Short", "String", "System", "Thread",
            "Throwable", "Void"}
    javascript = {"Array", "Blob", "Date", "Event", "FormData", "Function", "Headers", "JSON", "Map", "Promise", "Proxy", "RegExp", "Request", "Response",
                  "Set", "Symbol", "URL"}
    # What each generated client has beside the schemas.
    generated = {"ApiClient", "ApiException", "ApiResponse", "Client", "Configuration", "Pair", "UNSET"}
    assert set(COMPONENTS["schemas"]) & (java | javascript | generated) == set()


def test_files_have_no_length():
    """openapi-generator makes a file of `binary`, and in Go asks it for its length as if it were a text."""
    assert [path for path, schema in SCHEMAS if schema.get("format") == "binary" and {"minLength", "maxLength", "pattern"} & set(schema)] == []


def test_no_named_schema_is_another_text():
    """openapi-generator makes `any` of a schema that is `allOf` of a text. A member of an object may be that."""
    assert [name for name, schema in COMPONENTS["schemas"].items()
            if any(DOCUMENT.resolve(part).get("type") not in ("object", None) for part in schema.get("allOf", []))] == []


def test_unions_are_of_objects_or_differ_in_kind():
    """A query parameter is no union, and a time beside a number is a text: generators mix up what parses as both."""
    bad = [f"the parameter {node['name']}" for _, node in walk(RAW) if isinstance(node, dict) and "in" in node and "schema" in node
           and {"oneOf", "anyOf"} & set(DOCUMENT.resolve(node["schema"]))]
    for name, schema in COMPONENTS["schemas"].items():
        branches = [DOCUMENT.resolve(branch) for key in ("oneOf", "anyOf") for branch in schema.get(key, [])]
        if any(branch.get("format") == "date-time" for branch in branches):
            bad.append(name)
    assert bad == []


def test_nothing_that_generators_trip_over():
    bad = []
    for path, schema in SCHEMAS:
        if isinstance(schema.get("type"), list) or "nullable" in schema:
            bad.append(f"{path}: a nullable type")
        if {"prefixItems", "unevaluatedProperties", "$dynamicRef", "const"} & set(schema):
            bad.append(f"{path}: a word that generators do not know")
        if schema.get("type") == "array" and "$ref" not in schema["items"]:
            bad.append(f"{path}: an unnamed type in an array")
        if schema.get("format") not in (None, "date-time", "uri", "uri-reference", "int64", "binary"):
            bad.append(f"{path}: format {schema['format']} is not registered")
    assert bad == []


def test_files_are_uploaded_as_generators_do_it():
    """Generators take the first form of a body. One for bytes makes a text of them; a form's field becomes a file, and so
    does a body that is nothing but a file."""
    uploads = {operation["operationId"]: list(operation["requestBody"]["content"].items())
               for _, _, operation in DOCUMENT.operations
               if "application/octet-stream" in operation.get("requestBody", {}).get("content", {})}
    for picture in ("setOwnPicture", "setPersonPicture", "setChannelLogo"):
        [(_, form)] = uploads.pop(picture)
        assert form["schema"] == {"type": "string", "format": "binary"}
    assert set(uploads) == {"uploadAttachment", "uploadDeskAttachment"}
    for (kind, form), *rest in uploads.values():
        assert kind == "multipart/form-data" and [each for each, _ in rest] == ["application/octet-stream"]
        properties = DOCUMENT.resolve(form["schema"])["properties"]
        # `format` for generators, `contentMediaType` for OpenAPI 3.1.
        assert {name: (one["type"], one["format"], one["contentMediaType"]) for name, one in properties.items()} == {
            "file": ("string", "binary", "application/octet-stream")}


def test_requests_are_bounded():
    """Every string of a request has a length, a pattern or a list of values."""
    loose = [path for path, schema in SCHEMAS
             if re.match(r"#/components/schemas/\w*(Request|Patch)\b", path) and schema.get("type") == "string"
             and not {"enum", "maxLength"} & set(schema)]
    assert loose == []


def test_head_and_options_are_prose():
    assert [path for path, item in RAW["paths"].items() if {"head", "options"} & set(item)] == []
    assert "HEAD" in RAW["info"]["description"] and "OPTIONS" in RAW["info"]["description"]


def test_events_are_named_schemas():
    streams = {path: operation for _, path, operation in DOCUMENT.operations
               if "text/event-stream" in operation["responses"].get("200", {}).get("content", {}) and "x-platform" not in operation}
    assert set(streams) == {"/v1/events", "/v1/desk/events", "/v1/sessions/{session}/events",
                            "/v1/sessions/{session}/collections/{collection}/events",
                            "/v1/desk/collections/{collection}/events", "/v1/sandbox/frames/events"}
    names = set(COMPONENTS["schemas"]["EventName"]["enum"])
    told = set()
    for operation in streams.values():
        content = operation["responses"]["200"]["content"]
        lines = ["text/event-stream", "application/jsonl", "application/x-ndjson"]
        assert [content[each]["schema"] for each in lines] == [{"type": "string"}] * 3
        pages = {"$ref": "#/components/schemas/EventPage"}
        assert content.get("application/json", {}).get("schema") == (
            None if re.search("Collection|Frames", operation["operationId"]) else pages)
        table = operation["x-events"]
        assert set(table) - {"frame"} <= names
        told |= {schema["$ref"].rpartition("/")[2] for schema in table.values()} - {"SandboxFrame"}
        assert all(DOCUMENT.resolve(schema)["type"] == "object" for schema in table.values())
        assert {"ready", "reset", "ping"} <= set(table)
    told.add(RAW["paths"]["/v1/events"]["get"]["x-event-audience"]["$ref"].rpartition("/")[2])
    assert told == {name for name in COMPONENTS["schemas"] if name.startswith("Event")} - {"EventName", "EventPage"}


def test_pages_have_the_events_that_the_log_keeps():
    """The branches of `LoggedEvent`, their discriminator and the tables `x-events` name the same schemas."""
    union = COMPONENTS["schemas"]["LoggedEvent"]
    mapping = union["discriminator"]["mapping"]
    assert [each["$ref"] for each in union["oneOf"]] == list(mapping.values())
    table = RAW["paths"]["/v1/events"]["get"]["x-events"]
    for name, reference in mapping.items():
        branch = DOCUMENT.resolve({"$ref": reference})
        assert branch["properties"]["type"]["enum"] == [name] and branch["required"] == ["id", "type", "data"]
        assert branch["properties"]["data"] == table[name]
    notes = {"note.created", "note.removed"}  # of agents: they never leave the gateway
    assert set(mapping) - notes == set(COMPONENTS["schemas"]["WebhookEventType"]["enum"])
    assert not notes & set(RAW["paths"]["/v1/sessions/{session}/events"]["get"]["x-events"])


def test_no_component_is_unused():
    used = {node["$ref"] for _, node in walk(RAW) if isinstance(node, dict) and isinstance(node.get("$ref"), str)}
    unused = [f"#/components/{kind}/{name}" for kind in COMPONENTS if kind != "securitySchemes"
              for name in COMPONENTS[kind] if f"#/components/{kind}/{name}" not in used]
    assert unused == []


def test_every_code_is_told_where_its_status_is():
    """Each code in `x-problem-codes` is named by the shared response of its status."""
    by_status = {}
    for response in COMPONENTS["responses"].values():
        for media in response.get("content", {}).values():
            if isinstance(media.get("example"), dict) and "code" in media["example"]:
                by_status.setdefault(media["example"]["status"], "")
                by_status[media["example"]["status"]] += response["description"]
                assert RAW["x-problem-codes"][media["example"]["code"]] == media["example"]["status"]
    other = COMPONENTS["responses"]["Problem"]["description"]  # of the statuses that have no response of their own
    missing = [code for code, status in RAW["x-problem-codes"].items()
               if f"`{code}`" not in by_status.get(status, "") and f"`{code}` ({status})" not in other]
    assert missing == []


def test_times_have_no_pattern():
    """Go reads a `date-time` as a time, and the check of its pattern fails. The tests check `x-pattern` themselves."""
    assert [path for path, schema in SCHEMAS if schema.get("format") == "date-time" and "pattern" in schema] == []
    assert DOCUMENT.errors({"$ref": "#/components/schemas/Time"}, "2026-05-04T09:30:00.000Z") == []
    assert DOCUMENT.errors({"$ref": "#/components/schemas/Time"}, "2026-05-04T09:30:00Z")


@pytest.mark.parametrize("value", [0, -1, 9223372036854775807, "2026-05-04T09:30:00Z", "2026-05-04T11:30:00.250+02:00"])
def test_a_viewpoint_is_a_number_or_a_text(value):
    assert DOCUMENT.errors({"$ref": "#/components/schemas/Viewpoint"}, value) == []
    assert DOCUMENT.errors({"$ref": "#/components/schemas/ViewpointRequest"}, {"viewpoint": value}) == []


@pytest.mark.parametrize("value", [1.5, True, {}, ["2026-05-04T09:30:00Z"], "2026-05-04", "yesterday", "2026-13-04T09:30:00Z"])
def test_a_viewpoint_is_nothing_else(value):
    assert DOCUMENT.errors({"$ref": "#/components/schemas/Viewpoint"}, value)


def constants(name, schema):
    """What generators without prefixes, such as Go's, call the values of an enum: they share one name space."""
    upper = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", str(value)).upper() for value in schema["enum"]]
    return schema.get("x-enum-varnames", upper)


def test_constants_of_enums_do_not_collide():
    enums = {name: schema for name, schema in COMPONENTS["schemas"].items() if "enum" in schema}
    assert [name for name, schema in enums.items() if len(constants(name, schema)) != len(schema["enum"])] == []
    owners = {}
    for name, schema in enums.items():
        for constant in constants(name, schema):
            owners.setdefault(constant, []).append(name)
    assert {constant: names for constant, names in owners.items() if len(names) > 1} == {}


def test_no_type_is_anonymous():
    """An object or a union without a name gets an ugly one, which changes when the document does."""
    anonymous = []
    for path, schema in SCHEMAS:
        if re.fullmatch(r"#/components/schemas/\w+", path) or not ({"oneOf", "anyOf"} & set(schema) or "properties" in schema):
            continue
        branches = schema.get("oneOf", schema.get("anyOf", []))
        # A patch removes a value by null, and generators know that form.
        if any(DOCUMENT.resolve(branch).get("type") == "null" for branch in branches):
            continue
        # A rule about members that are there already is no type.
        if re.search(r"/(allOf|anyOf|oneOf|not|if|then|else|dependentSchemas)(/|$)", path.rpartition("/properties/")[2]):
            continue
        anonymous.append(path)
    assert sorted(set(anonymous)) == []


def test_unions_by_a_member_say_which():
    """Each union of objects whose branches fix one member by a list of values names it as discriminator."""
    silent = []
    for name, schema in COMPONENTS["schemas"].items():
        branches = [DOCUMENT.resolve(branch) for branch in schema.get("oneOf", [])]
        if not branches or any("properties" not in branch for branch in branches):
            continue
        for member in branches[0]["properties"]:
            values = [set(branch["properties"].get(member, {}).get("enum", [])) for branch in branches]
            if all(values) and sum(map(len, values)) == len(set().union(*values)):
                mapping = schema.get("discriminator", {}).get("mapping", {})
                if schema.get("discriminator", {}).get("propertyName") != member or set(mapping) != set().union(*values):
                    silent.append(f"{name} by {member}")
    assert silent == []


@of_each_operation
def test_pages_and_idempotent_operations_say_so(method, path, operation):
    names = [parameter["name"] for parameter in DOCUMENT.parameters(operation)]
    assert operation.get("x-idempotent", False) == ("Idempotency-Key" in names)
    pages = method == "get" and "cursor" in names
    assert operation.get("x-pagination") == ({"cursor": "cursor", "next": "next", "items": "items"} if pages else None)
    if pages:
        answer = DOCUMENT.resolve(DOCUMENT.resolve(operation["responses"]["200"])["content"]["application/json"]["schema"])
        for branch in [DOCUMENT.resolve(each) for each in answer.get("anyOf", [answer])]:
            assert {"items", "next"} <= set(branch["properties"])


@of_each_operation
def test_streams_are_left_to_a_reader(method, path, operation):
    """Generated methods read a body to its end. One that has none is left out; of the others the page comes first."""
    content = DOCUMENT.resolve(operation["responses"].get("200", {})).get("content", {})
    if "text/event-stream" not in content or "x-platform" in operation:
        assert not {"x-stream", "x-internal"} & set(operation)
        return
    pages = "application/json" in content
    assert list(content)[0] == ("application/json" if pages else "text/event-stream")
    assert operation["x-stream"] == {"format": "sse", "resume": "Last-Event-ID", "page": pages}
    assert operation.get("x-internal") == (None if pages else True)
    assert "Last-Event-ID" in [parameter["name"] for parameter in DOCUMENT.parameters(operation)]
    assert "x-events" in operation


def test_what_receivers_get_is_described_as_callbacks():
    """Generators make client operations from top-level webhooks, in a file that replaces that of the tag `webhooks`."""
    assert "webhooks" not in RAW
    callbacks = RAW["paths"]["/v1/webhooks"]["post"]["callbacks"]
    assert set(COMPONENTS["schemas"]["WebhookEventType"]["enum"]) | {"webhook.test", "reset"} == set(callbacks)
