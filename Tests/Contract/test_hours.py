"""Hours of channels: when their customers are answered, and what they meet outside of them."""

from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from chat import Chat
from people import Person

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
ALWAYS = {"timeZone": "Europe/Berlin", "week": {day: [["00:00", "24:00"]] for day in DAYS}}
NEVER = {"timeZone": "Europe/Berlin"}


@pytest.fixture
def channel(own):
    """Makes channels of the test's own gateway."""
    made = []

    def make(mode="multithread", **settings):
        made.append(f"hours-{len(made)}")
        own.post("/v1/desk/channels", {"id": made[-1], "mode": mode, **settings})
        return made[-1]

    return make


def change(gateway, channel, **settings):
    return gateway.patch(f"/v1/desk/channels/{channel}", settings)


def shown(gateway, channel, **more):
    return gateway.get(f"/v1/services/local/channels/{channel}", **more).json


def coming(days, zone):
    """A day some days ahead, and when it begins there."""
    day = datetime.now(ZoneInfo(zone)).date() + timedelta(days=days)
    begin = datetime(day.year, day.month, day.day, 9, tzinfo=ZoneInfo(zone)).astimezone(timezone.utc)
    return day.isoformat(), begin.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_a_channel_says_whether_it_is_open(own, channel):
    help = channel(hours=ALWAYS)
    assert shown(own, help)["isOpen"] is True and "nextOpening" not in shown(own, help)
    for zone in ("Pacific/Kiritimati", "America/Los_Angeles"):
        day, begin = coming(3, zone)
        hours = {"timeZone": zone, "open": [{"day": day, "times": [["09:00", "10:00"]]}]}
        answer = change(own, help, hours=hours).json
        assert answer["hours"] == {"mode": "hours", "week": {}, **hours}
        assert (answer["isOpen"], answer["nextOpening"]) == (False, begin)
        assert own.get(f"/v1/desk/channels/{help}")["nextOpening"] == begin
    assert change(own, help, hours=NEVER)["isOpen"] is False
    assert "nextOpening" not in shown(own, help)
    assert "hours" not in change(own, help, hours=None).json and shown(own, help)["isOpen"] is True


def test_customers_see_that_and_not_the_hours(own, channel):
    day, begin = coming(2, "Europe/Berlin")
    help = channel(hours={**NEVER, "open": [{"day": day, "times": [["09:00", "12:00"]]}]}, outside={"askEmail": True})
    chat = Chat(own, help)
    for seen in (shown(own, help, token=chat.token), own.get(chat.path, token=chat.token)["channel"]):
        assert (seen["isOpen"], seen["nextOpening"]) == (False, begin)
        assert "hours" not in seen and "outside" not in seen
    services = own.get("/v1/services", token=chat.token)["items"]
    assert [one["isOpen"] for one in services[0]["channels"] if one["id"] == help] == [False]


WRONG = {
    "a time is turned around": ({"week": {"fri": [["17:00", "09:00"]]}}, "/hours/week/fri"),
    "two times overlap": ({"week": {"mon": [["09:00", "12:00"], ["11:59", "13:00"]]}}, "/hours/week/mon"),
    "a time has no length": ({"week": {"mon": [["09:00", "09:00"]]}}, "/hours/week/mon"),
    "a day begins at 24:00": ({"week": {"sun": [["24:00", "24:00"]]}}, "/hours/week/sun"),
    "no time": ({"week": {"tue": [["9:00", "25:00"]]}}, "/hours/week/tue"),
    "a number": ({"week": {"tue": 9}}, "/hours/week/tue"),
    "eleven times": ({"week": {"tue": [[f"{hour:02}:00", f"{hour:02}:30"] for hour in range(11)]}}, "/hours/week/tue"),
    "no day of the week": ({"week": {"monday": []}}, "/hours/week/monday"),
    "no day": ({"closed": ["2026-02-29"]}, "/hours/closed"),
    "no special day": ({"open": [{"day": "2026-12-24", "times": []}, {"day": "24.12.26", "times": []}]}, "/hours/open/1/day"),
    "overlap on a special day": (
        {"open": [{"day": "2026-12-24", "times": [["09:00", "10:00"], ["09:30", "11:00"]]}]}, "/hours/open/0/times"),
    "a day twice": ({"open": [{"day": "2026-12-24", "times": []}] * 2}, "/hours/open"),
    "a day that is closed, too": ({"closed": ["2026-12-24"], "open": [{"day": "2026-12-24", "times": []}]}, "/hours/open"),
    "too many days": ({"closed": [(date(2026, 1, 1) + timedelta(days=day)).isoformat() for day in range(367)]}, "/hours/closed"),
    "no mode": ({"mode": "sometimes"}, "/hours/mode"),
    "no such time zone": ({"timeZone": "Europe/Atlantis"}, "/hours/timeZone"),
    "a way out of the folder": ({"timeZone": "../../../etc/passwd"}, "/hours/timeZone"),
    "a whole path": ({"timeZone": "/usr/share/zoneinfo/UTC"}, "/hours/timeZone"),
    "a folder": ({"timeZone": "Europe"}, "/hours/timeZone"),
    "a file that is no time zone": ({"timeZone": "tzdata.zi"}, "/hours/timeZone"),
}


@pytest.mark.parametrize("name", WRONG)
def test_hours_that_cannot_be_are_refused_with_their_day(gw, name):
    hours, pointer = WRONG[name]
    body = {"hours": {"timeZone": "Europe/Berlin", **hours}}
    for answer in (
        gw.call("PATCH", "/v1/desk/channels/contract-multi", body, check=False),
        gw.call("POST", "/v1/desk/channels", {"id": "wrong-hours", "mode": "multithread", **body}, check=False),
    ):
        assert answer.status in (400, 422), answer.text
        assert f"#{pointer}" in [error["pointer"] for error in answer["errors"]]


@pytest.mark.parametrize(
    "outside, pointer",
    [({"answer": {"de_AT": "x"}}, "/outside/answer"), ({"answer": {"de": ""}}, "/outside/answer"),
     ({"answer": {"de": "x" * 2001}}, "/outside/answer"), ({"answer": {"de": 5}}, "/outside/answer/de"),
     ({"answer": {f"a{chr(97 + n)}": "x" for n in range(21)}}, "/outside/answer"), ({"chats": "wait"}, "/outside/chats")])
def test_what_is_said_outside_the_hours_has_bounds(gw, outside, pointer):
    answer = gw.call("PATCH", "/v1/desk/channels/contract-multi", {"outside": outside}, check=False)
    assert answer.status == 422 and f"#{pointer}" in [error["pointer"] for error in answer["errors"]]


def test_everyone_of_the_channel_hears_that_it_opens(own, channel):
    help, other = channel(), channel()
    chat, stranger = Chat(own, help), Chat(own, other)
    limited = Person(own, "supervisor", channels=[other])
    with chat.events("?types=channel.updated") as mine, stranger.events("?types=channel.updated") as theirs, own.events(
        "/v1/desk/events?types=channel.updated"
    ) as desk, own.events(f"/v1/events?session={chat.id}&types=channel.updated") as both, own.events(
        "/v1/desk/events?types=channel.updated", token=None, headers={**limited.cookie, **limited.page}
    ) as few:
        for stream in (mine, theirs, desk, both, few):
            stream.wait("ready")
        change(own, help, hours=NEVER)
        told = {"id": help, "isOpen": False}
        assert mine.wait("channel.updated").data == desk.wait("channel.updated").data == told
        assert both.wait("channel.updated").data == {"sessions": [chat.id], **told}
        event = change(own, help, hours=ALWAYS) and mine.wait("channel.updated")
        assert event.data == {"id": help, "isOpen": True} and not event.id
        # Other channels hear of their own alone: this is the first that these hear.
        change(own, other, name="Other")
        assert theirs.wait("channel.updated").data == few.wait("channel.updated").data == {"id": other, "isOpen": True}


def test_agents_who_are_there_open_a_channel(own, channel):
    help, other = channel(), channel()
    mara, away = Person(own, channels=[help]), Person(own, channels=[other])
    chat = Chat(own, help)
    with chat.events("?types=channel.updated") as stream:
        stream.wait("ready")
        change(own, help, hours={**NEVER, "mode": "agents"}, visitors={"public": True})
        assert stream.wait("channel.updated").data["isOpen"] is False
        page = lambda: own.get(f"/widget/{help}", token=None, check=False).text
        assert '"isOpen":false' in page()
        away.call("PUT", "/v1/desk/presence", {"state": "online"})  # does not see the channel
        mara.call("PUT", "/v1/desk/presence", {"state": "away"})
        assert shown(own, help)["isOpen"] is False
        mara.call("PUT", "/v1/desk/presence", {"state": "online"})
        assert stream.wait("channel.updated").data == {"id": help, "isOpen": True}
        assert shown(own, help)["isOpen"] is True and '"isOpen":true' in page()
        mara.call("PUT", "/v1/desk/presence", {"state": "offline"})
        assert stream.wait("channel.updated").data == {"id": help, "isOpen": False}


def test_hours_hold_after_a_restart(own, channel):
    help = channel(hours=NEVER)
    own.restart()
    assert shown(own, help)["isOpen"] is False


def test_whoever_writes_outside_the_hours_is_told_once(own, channel):
    help = channel(hours=NEVER, outside={"answer": {"en": "We are away.", "de": "Wir sind nicht da."}})
    chat = Chat(own, help)
    thread = own.post(f"{chat.path}/threads", token=chat.token)["id"]
    messages = f"{chat.path}/threads/{thread}/messages"
    say = lambda text, **headers: own.post(messages, {"text": text}, token=chat.token, headers=headers)
    say("Hello?", **{"Accept-Language": "de-AT,en;q=0.5"})
    say("Nobody there?")
    told = [one for one in own.get(messages, token=chat.token)["items"] if one["direction"] == "toClient"]
    assert [(one["text"], one["type"], one["customType"], one["author"]["kind"]) for one in told] == [
        ("Wir sind nicht da.", "admin", "parley.outside", "system")]
    seen = own.get(f"/v1/desk/threads/{thread}").json
    assert seen["waitingSince"] and "agent" not in seen
    # No answer where there is none, and none while it is open.
    change(own, help, outside=None)
    for text, hours in (("a", NEVER), ("b", ALWAYS)):
        change(own, help, hours=hours)
        own.post(f"/v1/desk/threads/{thread}/endContact")
        say(text)
    assert len([one for one in own.get(messages, token=chat.token)["items"] if one["direction"] == "toClient"]) == 1


def test_live_chats_outside_the_hours_are_refused_or_wait(own, channel):
    live = channel("liveChat", hours=NEVER, outside={"answer": {"en": "We are away."}})
    chat = Chat(own, live)
    assert chat.session["state"] == "offline"
    assert own.post(f"{chat.path}/threads", token=chat.token, check=False).status == 409
    change(own, live, outside={"answer": {"en": "We are away."}, "chats": "queue"})
    assert own.post(f"{chat.path}/connect", token=chat.token)["state"] == "ready"
    thread = own.post(f"{chat.path}/threads", token=chat.token)
    assert thread["queuePosition"] == 1 and thread["lastMessage"]["text"] == "We are away."


def test_the_widget_knows_it_before_it_shows_its_button(own, channel):
    day, begin = coming(1, "Asia/Tokyo")
    hours = {"timeZone": "Asia/Tokyo", "open": [{"day": day, "times": [["09:00", "10:00"]]}]}
    help = channel(visitors={"public": True}, hours=hours, outside={"hideBubble": True, "askEmail": True})
    config = own.get(f"/widget/{help}/config.js", token=None).text
    assert f'"isOpen":false,"nextOpening":"{begin}"' in config and '"showBubble":false' in config
    page = own.get(f"/widget/{help}", token=None).text
    assert f'"isOpen":false,"nextOpening":"{begin}"' in page and '"askEmail":true' in page
    change(own, help, hours=ALWAYS)
    assert '"isOpen":true' in own.get(f"/widget/{help}/config.js", token=None).text
    assert '"showBubble":true' in own.get(f"/widget/{help}/config.js", token=None).text
