"""Long threads stay usable."""

import sqlite3
import time

import pytest

from states import talk

MOST = 200  # rows that a transcript holds in the DOM
BOTTOM = "const [box] = all('transcript'); return box.scrollHeight - box.scrollTop - box.clientHeight < 5"
WATCH = (
    "window.longest = 0; new PerformanceObserver((list) => {"
    "for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration) }).observe({type: 'longtask'})"
)

# As a wheel does, a part of the screen at a time, until a line is on show or the end is reached. What was in sight stays in sight.
WALK = """
  const [box] = all('transcript'), [pixels, until] = arguments;
  const lines = () => [...box.querySelectorAll('.message .text')].map((one) => one.textContent);
  const inSight = () => {
    const b = box.getBoundingClientRect();
    return [...box.querySelectorAll('.message')].filter((one) => { const a = one.getBoundingClientRect(); return a.bottom > b.top && a.top < b.bottom }).map((one) => one.dataset.id);
  };
  return (async () => {
    const seen = new Set();
    let most = 0, idle = 0, trouble = 'the end was never reached';
    for (let step = 0; step < 4000; step++) {
      const texts = lines();
      most = Math.max(most, texts.length);
      const rows = texts.filter((text) => text.startsWith('line ')).map((text) => Number(text.slice(5)));
      const hole = rows.findIndex((row, at) => row !== rows[0] + at);
      if (hole >= 0) { trouble = `what is in the DOM is no one stretch: ${rows.slice(Math.max(0, hole - 2), hole + 2)} of ${rows[0]}...${rows.at(-1)}`; break; }
      rows.forEach((row) => seen.add(row));
      const isAtEnd = texts.at(-1) === 'last' && box.scrollHeight - box.scrollTop - box.clientHeight < 5;
      if (until === null ? isAtEnd : rows[0] <= until) { trouble = null; break; }
      const before = inSight(), place = box.scrollTop;
      box.scrollTop += pixels;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const after = new Set(inSight());
      if (!before.some((id) => after.has(id))) { trouble = `the reader lost his place at ${rows[0]}...${rows.at(-1)}`; break; }
      idle = box.scrollTop === place ? idle + 1 : 0;
      if (idle > 1800) { trouble = `stuck at ${rows[0]}...${rows.at(-1)}`; break; }
    }
    return {seen: [...seen], most, trouble};
  })()
"""


def line(number):
    return f"line {number}"


def fill(path, count):
    """Puts older messages before the one that is there, by SQL: that many sends would take minutes."""
    with sqlite3.connect(path, isolation_level=None) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(message)")]
        head, created, json = db.execute("SELECT (SELECT value FROM meta WHERE name = 'head'), createdAt, json FROM message").fetchone()
        json = bytes(json).decode()
        [identity, time] = [json.split(f'"{name}":"', 1)[1].split('"', 1)[0] for name in ("id", "createdAt")]
        second = created // 1000 * 1000 - 1000  # the times in column and JSON must be the same
        changed = {
            "number": ":head + i",
            "id": "printf('filled-%d', i)",
            "version": ":head + i",
            "createdAt": ":created - (:count - i) * 1000",
            "json": "CAST(replace(replace(replace(:json, :id, printf('filled-%d', i)), '\"text\":\"last\"', printf('\"text\":\"line %d\"', i)), "
            ":time, strftime('%Y-%m-%dT%H:%M:%S', (:created - (:count - i) * 1000) / 1000, 'unixepoch') || '.000Z') AS BLOB)",
        }
        db.execute("BEGIN")
        db.execute(
            f"WITH RECURSIVE counter (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counter WHERE i < :count - 1)"
            f" INSERT INTO message ({', '.join(columns)}) SELECT {', '.join(changed.get(name, 'message.' + name) for name in columns)}"
            f" FROM counter, (SELECT * FROM message) AS message",
            {"count": count, "head": head, "created": second, "json": json, "id": identity, "time": time},
        )
        db.execute("UPDATE meta SET value = ? WHERE name = 'head'", [head + count])
        db.execute("COMMIT")


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_a_hundred_thousand_messages(browser, gateway, side):
    """They open at once, and are walked in both directions without a jump, while the DOM holds a few."""
    count = 100_000
    session = gateway.post("/v1/sessions", {"channel": "multi"})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads")["id"]
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "last"})
    gateway.stop()
    fill(gateway.data / "parley.sqlite", count)
    gateway.start()
    page = browser.page()
    page.remember({"parley.session.local.multi": session})
    began = time.monotonic()
    page.go(f"/desk?thread={thread}" if side == "desk" else f"/?channel=multi&thread={thread}")
    page.shows(line(count - 1), "last")
    took = time.monotonic() - began
    assert len(page.texts()) <= MOST and page.js(BOTTOM)
    page.js(WATCH)
    seen, most = set(), 0
    goal = count - 1300  # further than a collection's view holds
    for pixels, until in [(-500, goal), (500, None)]:
        walked = page.js(WALK, pixels, until)
        assert walked["trouble"] is None, walked["trouble"]
        seen.update(walked["seen"])
        most = max(most, walked["most"])
    longest = page.js("return window.longest")
    print(f"{side}: {count} messages open in {took:.2f} s; at most {most} rows in the DOM; the longest task {longest:.0f} ms")
    assert most <= MOST + 1
    assert set(range(goal, count)) <= seen, "nothing was left out"
    gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "news"})
    page.shows("last", "news")


def test_a_thousand_messages(browser, gateway):
    count = 1000
    chat = browser.chat("multi")
    chat.click("new-thread")
    chat.send("message 0")
    chat.becomes("message 0", "delivered")
    thread, session = chat.thread, chat.session()
    lines = [("toAgent" if number % 3 else "toClient", f"message {number}") for number in range(1, count)]
    talk(gateway, session, thread, lines)
    expected = [f"message {number}" for number in range(count)]
    # They came in while the page was open: it has followed them.
    chat.wait(lambda: chat.texts()[-1] == expected[-1], "all arrived live", 90)
    assert chat.texts() == expected[-len(chat.texts()) :] and len(chat.texts()) <= MOST
    assert chat.js(BOTTOM)
    # A fresh page begins with the newest, and reaches the first by going on loading.
    desk = browser.desk()
    desk.click("desk-thread")
    desk.shows(*expected[-50:])
    assert len(desk.texts()) == 50
    seen = set(desk.texts())
    while "message 0" not in seen:
        known = desk.texts()[0]
        desk.js("all('transcript')[0].scrollTop = 0; all('load-older')[0]?.click()")
        desk.wait(lambda: desk.texts()[0] != known, f"there is more before {known}")
        texts = desk.texts()
        first = expected.index(texts[0])
        assert texts == expected[first : first + len(texts)] and len(texts) <= MOST
        seen.update(texts)
    assert seen == set(expected)
    for page in (chat, desk):
        page.js(WATCH)
        if page is desk:
            page.js("all('transcript')[0].scrollTop = 0")
            down = "const [box] = all('transcript'); box.scrollTop = box.scrollHeight"
            page.wait(lambda: page.js(down) or page.texts()[-1] == expected[-1] and page.js(BOTTOM), "the newest is reached")
        page.wait(lambda page=page: page.js(BOTTOM), "at the bottom")
    began = time.monotonic()
    for number in range(10):
        text = f"reply {number}"
        desk.write("composer", text)
        desk.press("\ue007")
        chat.wait(lambda text=text: chat.texts()[-1] == text, f"{text} arrives")
    took = time.monotonic() - began
    longest = [page.js("return window.longest") for page in (chat, desk)]
    print(f"10 messages written and read in {took:.1f} s; the longest task of a page: {max(longest):.0f} ms")
    assert chat.js(BOTTOM) and desk.js(BOTTOM)


def test_many_conversations(browser, gateway):
    chat = browser.chat("multi")
    session = chat.session()
    for number in range(120):
        thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": f"thread {number}"})["id"]
        gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": f"about {number}"})
    chat.wait(lambda: chat.items("thread-item")[:1] == [thread], "the last one came live")
    # A page that was still asking for the first ones when there were too many for one answer offers the rest.
    assert len(chat.items("thread-item")) == 120 or chat.has("more-threads")
    chat.reload()
    chat.ready()
    desk = browser.desk()
    for page, hook in ((chat, "thread-item"), (desk, "desk-thread")):
        while (known := len(page.items(hook))) < 120:
            page.click("more-threads")
            page.wait(lambda page=page, hook=hook, known=known: len(page.items(hook)) > known, "more are shown")
        # The answer to the last fetch may come behind the rows that it brought.
        page.gone("more-threads")
        assert len(page.items(hook)) == 120
        assert len(set(page.items(hook))) == 120
    assert chat.items("thread-item") == desk.items("desk-thread"), "latest activity first, for both"
