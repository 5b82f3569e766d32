"""Reports on the desk's work, beside what a script counts from the same conversations."""

import csv
import datetime
import io
import statistics
import time

import pytest
from chat import Chat
from gateway import Gateway
from keys import Key
from people import Person


@pytest.fixture(scope="module")
def day():
    """A gateway of its own with a short day: two channels, two agents, a bot, tags, a rating, a reopened one."""
    with Gateway() as gateway:
        gateway.post("/v1/desk/channels", {"id": "help", "mode": "multithread", "rating": "numbers", "reopenDays": 3})
        gateway.post("/v1/desk/channels", {"id": "sales", "mode": "multithread"})
        mara, bo = Person(gateway, "supervisor", publicName="Mara"), Person(gateway, publicName="Bo")
        tag = gateway.post("/v1/desk/tags", {"name": "=HYPERLINK(1)"})["id"]
        threads = []
        for index in range(6):
            chat = Chat(gateway, "help" if index < 4 else "sales")
            path, at_desk = chat.open()
            threads.append((chat, path, at_desk))
        for index, (chat, path, at_desk) in enumerate(threads[:3]):
            mara.post(f"{at_desk}/messages", {"text": "Hello"})
            bo.post(f"{at_desk}/messages", {"text": "And me"})
            chat.say(path, "Thanks")
        bo.call("PUT", f"{threads[0][2]}/tags", {"tags": [tag]})
        bo.post(f"{threads[0][2]}/close")
        mara.post(f"{threads[1][2]}/close")
        assert gateway.put(f"{threads[0][1]}/rating", {"score": 4}).status == 200
        gateway.post(f"{threads[3][2]}/messages", {"text": "I am a bot", "agent": {"id": "robo", "name": "Robo", "isBot": True}})
        gateway.post(f"{threads[3][2]}/close")
        threads[1][0].say(threads[1][1], "One more thing")  # reopens it
        gateway.delete(threads[5][2])
        yield Day(gateway, mara, bo, tag)


class Day:
    def __init__(self, gateway, mara, bo, tag):
        self.gateway, self.mara, self.bo, self.tag = gateway, mara, bo, tag

    def rows(self, by, query="", who=None):
        report = (who or self.gateway).get(f"/v1/desk/reports?by={by}{query}")
        assert report.status == 200, report.text
        return {row["key"]: row for row in report["items"]}, report["total"]


def test_figures_are_those_of_the_day(day):
    rows, total = day.rows("channel")
    assert set(rows) == {"help", "sales"}
    assert (rows["help"]["opened"], rows["help"]["reopened"], rows["help"]["closed"]) == (5, 1, 3)
    # The removed conversation still counts, as one that has ended.
    assert (rows["sales"]["opened"], rows["sales"]["closed"]) == (2, 1)
    assert (total["opened"], total["closed"], total["reopened"], total["automaticOnly"]) == (7, 4, 1, 1)
    assert (total["messagesIn"], total["messagesOut"]) == (6 + 3 + 1, 6 + 1)
    assert total["firstAnswer"]["count"] == 3 and total["resolution"]["count"] == 4
    assert total["rating"] == {"count": 1, "mean": 4, "scores": [0, 0, 0, 1, 0]}


def test_what_an_agent_did_is_theirs(day):
    rows, _ = day.rows("agent")
    assert (rows[day.mara.id]["opened"], rows[day.mara.id]["closed"]) == (3, 1)
    assert (rows[day.bo.id]["closed"], rows[day.bo.id]["rating"]["count"]) == (1, 1)
    own = day.bo.get("/v1/me/reports?by=agent")
    assert [row["key"] for row in own["items"]] == [day.bo.id] and own["total"]["closed"] == 1


def test_tags_days_and_hours(day):
    rows, _ = day.rows("tag")
    assert rows[day.tag]["opened"] == 1 and rows[""]["opened"] == 6
    rows, total = day.rows("hour", "&timeZone=Asia/Kathmandu")
    assert len(rows) == 24 and sum(row["opened"] for row in rows.values()) == total["opened"]
    rows, _ = day.rows("day")
    assert 30 <= len(rows) <= 31 and sum(row["closed"] for row in rows.values()) == 4
    _, before = day.rows("day", "&since=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z")
    assert before["opened"] == 0 and "medianSeconds" not in before["firstAnswer"]


def test_the_table_says_the_same_and_carries_no_formula(day):
    answer = day.gateway.get("/v1/desk/reports?by=channel&format=csv")
    assert answer.kind == "text/csv" and answer.text.startswith("\ufeff")
    table = list(csv.DictReader(io.StringIO(answer.text.lstrip("\ufeff"))))
    rows, total = day.rows("channel")
    assert [row["channel"] for row in table] == ["help", "sales", "total"]
    assert [int(row["opened"]) for row in table] == [rows["help"]["opened"], rows["sales"]["opened"], total["opened"]]
    assert table[-1]["ratingMean"] == "4.0" and table[-1]["firstAnswers"] == "3"


def test_waits_are_those_that_an_answer_of_a_person_ended(day):
    waits = []
    for thread in day.gateway.get("/v1/desk/threads?limit=200")["items"]:
        since = None
        for message in day.gateway.get(f"/v1/desk/threads/{thread['id']}/messages?limit=200")["items"][::-1]:
            if message["author"]["kind"] == "customer":
                since = since or message["createdAt"]
            elif message["author"]["kind"] in ("agent", "bot"):
                if since and message["author"]["kind"] == "agent":
                    waits.append(day_seconds(message["createdAt"]) - day_seconds(since))
                since = None
    waiting = day.rows("day")[1]["waiting"]
    assert waiting["count"] == len(waits) == 3
    assert waiting["meanSeconds"] == int(statistics.mean(waits)) and waiting["longestSeconds"] == int(max(waits))


def test_an_independent_count_over_the_conversations_agrees(day):
    """Median of the first answers, from the messages themselves."""
    waits = []
    for thread in day.gateway.get("/v1/desk/threads?limit=200")["items"]:
        messages = day.gateway.get(f"/v1/desk/threads/{thread['id']}/messages?limit=200")["items"][::-1]
        answer = next((one for one in messages if one["author"]["kind"] == "agent"), None)
        if answer:
            waits.append(day_seconds(answer["createdAt"]) - day_seconds(messages[0]["createdAt"]))
    _, total = day.rows("day")
    assert total["firstAnswer"]["count"] == len(waits)
    assert total["firstAnswer"]["medianSeconds"] == int(statistics.median_low(waits))


def day_seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


HOURS = {"timeZone": "Asia/Kathmandu", "week": {}, "mode": "hours"}
NEVER, ALWAYS = HOURS, HOURS | {"week": {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}}


def test_times_by_the_hours_are_what_was_open():
    """One channel is always open by its hours, one never, one has none."""
    with Gateway() as gateway:
        mara = Person(gateway)
        opened = {}
        for channel, hours in (("open", ALWAYS), ("closed", NEVER), ("none", None)):
            gateway.post("/v1/desk/channels", {"id": channel, "mode": "multithread"} | ({"hours": hours} if hours else {}))
            _, opened[channel] = Chat(gateway, channel).open()
        time.sleep(1.1)  # the figures are in seconds
        for channel, at_desk in opened.items():
            mara.post(f"{at_desk}/messages", {"text": "Hello"})
            mara.post(f"{at_desk}/close")
            # What changes later changes no report.
            gateway.patch(f"/v1/desk/channels/{channel}", {"hours": None})
        rows = {row["key"]: row for row in gateway.get("/v1/desk/reports?by=channel")["items"]}
        for name in ("firstAnswer", "resolution"):
            assert rows["open"][f"{name}Open"] == rows["open"][name] and rows["open"][name]["medianSeconds"] >= 1
            assert rows["closed"][f"{name}Open"] == {"count": 1, "medianSeconds": 0, "p90Seconds": 0}
            assert f"{name}Open" not in rows["none"] and rows["none"][name]["count"] == 1
        table = gateway.get("/v1/desk/reports?by=channel&format=csv").text.lstrip("\ufeff")
        cells = {row["channel"]: row["firstAnswerOpenMedianSeconds"] for row in csv.DictReader(io.StringIO(table))}
        assert cells["closed"] == "0" and cells["none"] == "" and int(cells["open"]) >= 1


def test_who_may_read_them(day):
    assert day.bo.get("/v1/desk/reports").code == "insufficientScope"
    assert day.mara.get("/v1/desk/reports").status == 200
    key = Key(day.gateway, "reports.read", channels=["sales"])
    rows, total = day.rows("channel", who=key)
    assert set(rows) == {"sales"} and total["opened"] == 2
    assert key.get("/v1/desk/reports?channel=help").code == "outsideChannels"
    assert day.rows("channel", "&channel=help")[1]["opened"] == 5


@pytest.mark.parametrize("query, parameter", [
    ("timeZone=Nowhere/City", "timeZone"), ("timeZone=../../etc/passwd", "timeZone"), ("by=week", "by"), ("format=xml", "format"),
    ("since=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z", "until"), ("since=2024-05-02T00:00:00Z&until=2026-05-01T00:00:00Z", "until"),
    ("since=yesterday", "since"), ("channel=%20", "channel"),
])
def test_a_wrong_report_is_refused(day, query, parameter):
    refused = day.gateway.get(f"/v1/desk/reports?{query}", check=False)
    assert refused.code == "invalidParameter" and refused["errors"][0]["pointer"].lstrip("#") == f"?{parameter}"
