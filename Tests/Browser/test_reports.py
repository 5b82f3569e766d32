"""The page of reports, beside what the API says; on phones, on paper, by keyboard, and without colour."""

import base64
import csv
import datetime
import io
import json
import random
import re
import signal
import sqlite3

import pytest
from axe_core_python.base import AXE_FILE_PATH
from selenium.webdriver.common.keys import Keys

from gateway import Gateway
from page import DESKTOP, PHONE
from test_access import PASSWORD, fill
from test_accessibility import complaints

NARROW = (320, 700)
AGENTS = ["mara", "bo", "ines"]


def contacts(tags):
    """What a team has done in the last 12 days: rows of the store, the newest days last."""
    chance = random.Random(7)
    midnight = datetime.datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
    for back in range(12, 0, -1):
        for _ in range(chance.randint(3, 9)):
            opened = int((midnight - datetime.timedelta(days=back) + datetime.timedelta(minutes=chance.randint(480, 1080))).timestamp() * 1000)
            first, end = opened + chance.randint(5_000, 900_000), opened + chance.randint(1_000_000, 20_000_000)
            agent, channel = chance.choice(AGENTS), chance.choice(["multi", "live", "shop"])
            row = {"thread": 0, "openedAt": opened, "closedAt": end, "channel": channel, "firstAnswerAt": first, "firstAgent": agent, "lastAgent": agent, "closedBy": agent}
            row |= {"messagesIn": chance.randint(1, 9), "messagesOut": chance.randint(1, 9), "tags": json.dumps(chance.sample(tags, chance.randint(0, 2))).encode()}
            if chance.random() < 0.7:
                row |= {"waits": (waits := chance.randint(1, 5)), "waited": first - opened + 60_000 * (waits - 1), "longestWait": first - opened + 1000}
            if channel == "shop":
                row |= {"firstAnswerOpen": (first - opened) // 2, "resolutionOpen": (end - opened) // 3}
            if chance.random() < 0.5:
                row["score"] = chance.randint(1, 5)
            if chance.random() < 0.1:
                row["reopenedFrom"] = 1
            yield row


@pytest.fixture(scope="module")
def worked(tmp_path_factory):
    """A gateway with the figures of some days, at which the tests only look."""
    gateway = Gateway(tmp_path_factory.mktemp("reports")).start()
    gateway.post("/v1/desk/channels", {"id": "shop", "name": "Shop", "mode": "multithread"})
    tags = [gateway.post("/v1/desk/tags", {"name": name})["id"] for name in ("Refund", "Warranty, returns and broken on arrival")]
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Ada"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": "Waits"})["id"]
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "Hello"})
    gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "Good morning", "agent": {"id": "mara", "name": "Mara Lind"}})
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "And?"})
    gateway.stop()
    with sqlite3.connect(gateway.data / "parley.sqlite") as database:
        for row in contacts(tags):
            database.execute(f"INSERT INTO contact ({','.join(row)}) VALUES ({','.join('?' * len(row))})", list(row.values()))
    database.close()
    yield gateway.start()
    gateway.stop(signal.SIGKILL)


@pytest.fixture
def gateway(worked):
    return worked


def reports(browser, query="", **look):
    page = browser.page(f"/reports{query}", **look)
    page.ready()
    return page


def choose(page, name, value):
    page.put(f"reports-{name}", value)


def settled(page):
    page.wait(lambda: page.js("return !all('reports')[0].hasAttribute('aria-busy')"), "nothing more is loaded")


def table(page, name):
    """Its rows by their first cells, without the heading."""
    rows = page.js("return [...all(arguments[0])[0].querySelectorAll('tbody tr, tfoot tr')].map((row) => [...row.cells].map((cell) => cell.textContent))", f"table-{name}")
    return {key: [cell.replace("\u00a0", " ") for cell in cells] for key, *cells in rows}


def lasting(seconds):
    units = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    at = next((at for at, (_, size) in enumerate(units) if seconds >= size), 3)
    parts = []
    for sign, size in units[at : at + 2]:
        parts.append((seconds // size, sign))
        seconds %= size
    return " ".join(f"{count}{sign}" for count, sign in parts if count) or "0s"


def times_of(row, name):
    return [str(row[name]["count"])] + [lasting(times[value]) if times.get("count") else "–" for times in (row[name], row.get(f"{name}Open", {})) for value in ("medianSeconds", "p90Seconds")]


def waits_of(row):
    waiting = row["waiting"]
    return [str(waiting["count"])] + [lasting(waiting[name]) if waiting["count"] else "–" for name in ("meanSeconds", "longestSeconds")]


def asked(gateway, page, by, more=""):
    """What the API answers to what the page has asked."""
    about = page.js("return performance.getEntriesByType('resource').map(({name}) => name).filter((name) => name.includes('/reports?')).at(-1)")
    query = about.split("?")[1]
    assert f"by={by}" in query and more in query
    return gateway.get(f"/v1/desk/reports?{query}")


@pytest.mark.parametrize("by", ["day", "hour", "agent", "channel", "tag"])
def test_figures_are_those_of_the_api(browser, gateway, by):
    page = reports(browser, f"?span=days&by={by}")
    report = asked(gateway, page, by)
    assert page.js("return Intl.DateTimeFormat().resolvedOptions().timeZone") == report["timeZone"]
    rows, total = report["items"], report["total"]
    assert total["opened"] > 40 and total["firstAnswerOpen"]["count"] > 5
    shown = {name: table(page, name) for name in ("volume", "firstAnswer", "resolution", "waiting", "ratings")}
    names = ["opened", "reopened", "closed", "messagesIn", "messagesOut", "automaticOnly"]
    wanted = sorted([str(row[name]) for name in names] for row in rows if by in ("day", "hour") or row["opened"] + row["closed"])
    assert sorted(cells for key, cells in shown["volume"].items() if key != "Total") == wanted
    assert shown["volume"]["Total"] == [str(total[name]) for name in names]
    for name in ("firstAnswer", "resolution"):
        assert sorted(cells for key, cells in shown[name].items() if key != "Total") == sorted(times_of(row, name) for row in rows if row[name]["count"])
        assert shown[name]["Total"] == times_of(total, name)
    assert sorted(cells for key, cells in shown["waiting"].items() if key != "Total") == sorted(waits_of(row) for row in rows if row["waiting"]["count"])
    assert shown["waiting"]["Total"] == waits_of(total)
    assert shown["ratings"]["Total"][2:] == [str(count) for count in total["rating"]["scores"][::-1]]
    assert page.text("figure-opened").startswith(f"Opened{total['opened']}")
    assert f"9 of 10 within {lasting(total['firstAnswer']['p90Seconds'])}" in page.text("figure-firstAnswer").replace("\u00a0", " ")
    if by == "agent":
        assert "Mara Lind" in shown["volume"], "agents have their names"
    if by == "day":
        assert len(shown["volume"]) == len(rows) + 1 == 31


def test_plots_show_the_same_and_need_no_colour(browser, gateway):
    page = reports(browser, "?span=week&by=day")
    report = asked(gateway, page, "day")
    titles = page.js("return [...all('plot-volume')[0].querySelectorAll('rect title')].map((one) => one.textContent)")
    opened = [int(re.search(r"Opened: (\d+)", one)[1]) for one in titles if "Opened" in one]
    assert opened == [row["opened"] for row in report["items"] if row["opened"]]
    heights = page.js("return [...all('plot-volume')[0].querySelectorAll('rect.box.series-0')].map((one) => +one.getAttribute('height'))")
    assert all(abs(height / heights[0] - count / opened[0]) < 0.01 for height, count in zip(heights, opened))
    fills = page.js("return [0, 1].map((at) => getComputedStyle(all('plot-volume')[0].querySelector(`rect.box.series-${at}`)).fill)")
    assert fills[1].startswith('url("#plot-') and not fills[0].startswith("url"), "one plain, one hatched"
    dashes = page.js("return [0, 1, 2, 3].map((at) => all('plot-resolution')[0].querySelector(`.line.series-${at}`)?.getAttribute('stroke-dasharray'))")
    assert len(set(dashes)) == 4, dashes
    for picture in page.js("return [...document.querySelectorAll('.picture svg')].map((one) => [one.getAttribute('role'), one.getAttribute('aria-label')])"):
        assert picture[0] == "img" and "The table below has the numbers." in picture[1]
    captions = page.js("return [...document.querySelectorAll('.report-card')].map((one) => one.querySelector('caption').textContent)")
    assert captions == ["Opened and closed · Day", "Time to the first answer · Day", "Time until closed · Day", "Waiting for each answer · Day", "Ratings · Day"]


def test_what_is_chosen_stands_in_the_address(browser, gateway):
    page = reports(browser)
    choose(page, "channel", "shop")
    choose(page, "by", "agent")
    page.wait(lambda: "by=agent&channel=shop" in page.js("return location.search"), "the address says it")
    settled(page)
    page.says("reports-about", "Shop")
    shop = asked(gateway, page, "agent", "channel=shop")["total"]["opened"]
    page.says("figure-opened", f"Opened{shop}")
    page.reload()
    page.ready()
    page.says("figure-opened", f"Opened{shop}")
    page.history_back()
    page.wait(lambda: page.js("return all('reports-by')[0].value") == "day", "back to the rows before")
    choose(page, "span", "yesterday")
    page.wait(lambda: page.js("return all('reports-by')[0].value") == "hour", "one day is shown by its hours")
    choose(page, "span", "own")
    yesterday = (datetime.datetime.now() - datetime.timedelta(days=1)).date().isoformat()
    page.wait(lambda: page.js("return ['reports-from', 'reports-to'].map((hook) => all(hook)[0]?.value)") == [yesterday] * 2, "own dates begin with those on show")
    choose(page, "from", "2024-01-01")
    page.find("reports-dates")
    assert page.js("return all('reports-csv')[0].disabled")


def test_what_waits_now_is_on_top(browser, gateway):
    page = reports(browser)
    counts = gateway.get("/v1/desk/counts")
    page.says("reports-now", f"Now: {counts['open']} open · {counts['waiting']} waiting · the longest for")
    choose(page, "channel", "shop")
    page.says("reports-now", "Now: 0 open · 0 waiting")


def test_the_table_is_downloaded(browser, gateway, tmp_path):
    page = reports(browser, "?span=week&by=channel")
    total = asked(gateway, page, "channel")["total"]
    page.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.click("reports-csv")
    file = tmp_path / "parley-report-channel.csv"
    page.wait(file.exists, "the file is there")
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))
    assert [row["channel"] for row in rows][-1] == "total" and int(rows[-1]["opened"]) == total["opened"]
    page.wait(lambda: not page.js("return all('reports-csv')[0].disabled"), "it can be had again")


def test_all_of_it_by_keyboard(browser, gateway):
    page = reports(browser, "?span=days&by=day")
    page.tab_to("reports-span")
    page.press(Keys.ARROW_UP)
    page.wait(lambda: "span=week" in page.js("return location.search"), "the arrow has chosen another time")
    settled(page)
    assert page.focused() == "reports-span", "the field keeps the keyboard"
    for hook in ("reports-by", "reports-channel", "reports-csv", "reports-print", "table-volume", "table-firstAnswer", "table-resolution", "table-ratings"):
        page.tab_to(hook, most=10)
    page.tab_to("table-volume", back=True)
    page.press(Keys.END)
    page.wait(lambda: page.js("return all('table-volume')[0].scrollTop") > 0, "the keys scroll the table")
    choose(page, "span", "own")
    page.tab_to("reports-span", back=True)
    page.tab_to("reports-from")
    day = datetime.date.today() - datetime.timedelta(days=3)
    page.press(f"{day:%m%d%Y}")
    page.wait(lambda: f"from={day}" in page.js("return location.search"), "a day is typed")
    settled(page)
    assert len(table(page, "volume")) == 4 + 1


def test_nothing_a_failure_and_a_wait_are_told(browser, gateway, console):
    page = reports(browser, "?span=own&from=2020-01-01&to=2020-01-31")
    page.says("reports-empty", "Nothing happened in this time")
    page.js("""
      const real = window.fetch;
      const wrong = (status, body) => Promise.resolve(new Response(JSON.stringify({status, ...body}), {status, headers: {'Content-Type': 'application/problem+json'}}));
      const answers = [
        () => wrong(400, {code: 'invalidParameter', detail: 'More than 200000 conversations', errors: [{pointer: '?until', code: 'invalidParameter', detail: 'x'}]}),
        () => wrong(500, {code: 'internalError', detail: 'The disk is full.'}),
        (...how) => new Promise((resolve) => (window.goOn = () => resolve(real(...how)))),
      ];
      window.fetch = (address, how) => (String(address).includes('/reports?') && answers.length ? answers.shift()(address, how) : real(address, how));
    """)
    choose(page, "span", "week")
    page.says("reports-problem", "These are too many conversations")
    assert not page.has("reports-again")
    choose(page, "by", "agent")
    page.says("reports-problem", "The disk is full.")
    page.click("reports-again")
    page.wait(lambda: page.js("return all('reports')[0].getAttribute('aria-busy')") == "true", "it waits")
    assert "being made" in page.js("return document.querySelector('[data-test=reports-status]').textContent")
    page.wait(lambda: page.js("return !!window.goOn"), "the request has gone out")
    page.js("window.goOn()")
    page.find("report")
    settled(page)


LOOKS = ["?by=day", "?by=hour&span=yesterday", "?by=tag", "?span=own&from=2020-01-01&to=2020-01-02", "?span=own&from=2020-01-01&to=2024-01-02"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_look_is_accessible_and_fits(browser, gateway, shots, size):
    axe, found = AXE_FILE_PATH.read_text(), []
    for query in LOOKS:
        for language in ("en", "de"):
            page = reports(browser, f"{query}&lang={language}", size=size)
            assert page.js("return document.documentElement.lang") == language
            page.screenshot(shots / f"reports-{size[0]}-{language}-{LOOKS.index(query)}.png")
            # It looks in light and dark.
            found += [f"{query} {language}: {one}" for one in complaints(page, size, axe) if one != "no language"]
            for window in (NARROW, (719, 900), (720, 900), (1920, 1080)):
                page.look(window)
                wide = page.js("return document.documentElement.scrollWidth")
                found += [f"{query} {language}: {wide} wide at {window}"] if wide > window[0] else []
                found += [f"{query} {language} at {window}: {one} overflows" for one in page.overflowing()]
            page.close()
    assert not found, "\n".join(found)


def test_from_right_to_left(browser, gateway):
    page = reports(browser, "?by=agent")
    page.js("document.documentElement.dir = 'rtl'")
    page.look((700, 900))
    sides = "const [one] = all('plot-volume'); const box = (css) => one.querySelector(css).getBoundingClientRect(); return box('rect.box').right < box('text').left"
    page.wait(lambda: page.js(sides), "names stand on the right, bars grow to the left")
    assert page.overflowing() == []


def test_paper_shows_all_and_no_controls(browser, gateway, shots):
    page = reports(browser, "?by=day&span=days", dark=True)
    screen = page.js("return [all('reports-span').length, all('table-volume')[0].scrollHeight > all('table-volume')[0].clientHeight, getComputedStyle(document.body).backgroundColor]")
    assert screen == [1, True, "rgb(15, 20, 19)"]
    page.cdp("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert page.js("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "dark on white"
    for hook in ("reports-span", "reports-csv", "reports-print", "reports-now"):
        assert not page.has(hook), hook
    assert not page.js("return [...document.querySelectorAll('nav')].some(shown)")
    for name in ("volume", "firstAnswer", "resolution", "waiting", "ratings"):
        assert page.has(f"plot-{name}")
        box = page.js("const [one] = all(arguments[0]); return [one.scrollHeight, one.clientHeight]", f"table-{name}")
        assert box[0] <= box[1] + 1, f"{name} shows all its rows"
    page.says("reports-about", "All channels")
    pdf = base64.b64decode(page.cdp("Page.printToPDF")["data"])
    (shots / "reports.pdf").write_bytes(pdf)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 8, "several pages, none of them lost"


def member(browsers, gateway, id, role):
    """The first page of a person who has come in."""
    gateway.post("/v1/people", {"id": id, "name": id.title(), "email": f"{id}@shop.example", "role": role})
    page = browsers(signed_in=False).page(gateway.post(f"/v1/people/{id}/invite")["url"], agent=None)
    fill(page, "new-password", PASSWORD)
    page.click("welcome-submit")
    page.ready()
    return page


def test_an_agent_sees_their_own_a_supervisor_both(browsers, gateway, console):
    console.expect("status of 401")
    bo = member(browsers, gateway, "bo", "agent")
    bo.click("reports")
    bo.find("report")
    own = sum(row["opened"] for row in gateway.get("/v1/desk/reports?by=agent")["items"] if row["key"] == "bo")
    bo.says("figure-opened", f"Opened{own}")
    bo.says("reports-about", "Your own")
    assert not bo.has("reports-whose")
    ines = member(browsers, gateway, "ines", "supervisor")
    ines.go("/reports?by=agent")
    ines.find("report")
    team = int(table(ines, "volume")["Total"][0])
    assert team > own and "Your own" not in ines.text("reports-about")
    choose(ines, "whose", "mine")
    ines.says("reports-about", "Your own")
    settled(ines)
    assert set(table(ines, "volume")) == {"Ines", "Total"}


def test_who_is_not_signed_in_signs_in_first(browsers, gateway):
    page = browsers(signed_in=False).page("/reports", agent=None)
    page.find("sign-in")
    assert not page.has("report")
