"""The chat page in other languages: German, Arabic (from right to left), and `en-XA`, which is English grown by 40 %.

The gateway puts a language's texts into a page. Here the test does it, in a copy of `web/`, so that a language can be made up.
"""

import json
import os
import re
import shutil
import signal
from pathlib import Path

import pytest

import states
from gateway import Gateway
from page import DESKTOP, PHONE

WEB = Path(os.environ.get("PARLEY_WEB") or Path(__file__).parents[2] / "web")
NARROW = (320, 700)
#: Letters of English, as others of about the same look. What was not translated stays as it is, and is seen.
OTHER = str.maketrans("aceinouyACEINOUY", "àçéïñöûýÀÇÉÏÑÖÛÝ")


def table(tag):
    text = (WEB / "texts" / f"{tag}.js").read_text()
    return json.loads(text.removeprefix("export default ").removesuffix(";\n"))


def grown(text):
    """A text that is 40 % longer, with its places as they are."""
    if isinstance(text, dict):
        return {key: grown(one) for key, one in text.items()}
    pieces = re.split(r"(\{\w+\})", text)
    more = "·" * max(2, round(len(text) * 0.4))
    return "".join(piece if piece.startswith("{") else piece.translate(OTHER) for piece in pieces) + more


def pseudo():
    english = table("en")
    return {**english, "lang": "en-XA", "name": "Pseudo", "pages": grown(english["pages"]), "problems": grown(english["problems"])}


class Speaking:
    """A gateway, and the texts that stand in its chat page."""

    def __init__(self, gateway, web):
        self.gateway = gateway
        self.page = web / "index.html"
        self.plain = self.page.read_text()

    def speak(self, texts):
        wanted = {name: texts[name] for name in ("lang", "dir", "name", "pages", "problems")}
        script = json.dumps(wanted).replace("<", "\\u003c")
        self.page.write_text(self.plain.replace("</head>", f'  <script type="application/json" id="texts">{script}</script>\n</head>'))


@pytest.fixture(scope="module")
def speaking(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    web = folder / "web"
    shutil.copytree(WEB, web)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARLEY_WEB", str(web))
        gateway = Gateway(folder).start()
    gateway.made = states.furnish(gateway)
    speaking = Speaking(gateway, web)
    yield speaking
    gateway.stop(signal.SIGKILL)


@pytest.fixture
def gateway(speaking):
    return speaking.gateway


#: What people can read, with names of buttons and fields, each with where it stands. What customers wrote is left out.
SAID = """
const own = '.message .text, .message .quote, .thread-title, .thread-sub, .thread-preview, .titles, .file-name, .author, .rich, code';
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) if (shown(node.parentElement) && !node.parentElement.closest(own)) found.push(node.data.trim());
for (const node of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
  if (shown(node) && !node.closest(own)) for (const name of ['aria-label', 'title', 'placeholder']) if (node.hasAttribute(name)) found.push(node.getAttribute(name));
}
return [...new Set(found)].filter(Boolean);
"""


#: Boxes that can be scrolled sideways: something in them is too wide. Code may be.
SCROLLED = """
return [...document.querySelectorAll('body *:not(pre, input, textarea)')].filter(shown)
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(node).overflowX))
  .map((node) => `${node.tagName}.${node.className} ${node.textContent.slice(0, 60)}`);
"""


def texts_of(part):
    for one in part.values():
        if isinstance(one, dict):
            yield from texts_of(one)
        else:
            yield one


def english_texts(texts):
    """What would be English there, of the texts without places."""
    return {one for one in texts_of(table("en")["pages"]) if "{" not in one} - set(texts_of(texts["pages"]))


def talk(browser, made, **look):
    """An open conversation, without waiting for words of one language."""
    page = states._as_customer(browser, made[0], f"&thread={made[1][0]}", **look)
    page.shows("Yes please. That was quick 👍")
    return page


def asking(browser, made, **look):
    page = talk(browser, made, **look)
    page.click("archive")
    page.find("archive-dialog")
    return page


SHOWN = [states.picker, states.chat_list, talk, states.chat_thread, states.chat_files, states.chat_details, asking]


@pytest.mark.parametrize("name", ["de", "ar", "en-XA"])
def test_all_is_in_the_language_and_fits(browser, speaking, shots, name):
    texts = pseudo() if name == "en-XA" else table(name)
    speaking.speak(texts)
    made, english = speaking.gateway.made, english_texts(texts)
    for state in SHOWN:
        page = state(browser, made, size=NARROW)
        assert page.js("return [document.documentElement.lang, document.documentElement.dir]") == [texts["lang"], texts["dir"]]
        said = page.js(SAID)
        assert [one for one in said if one in english] == [], f"{state.__name__}: English among {said}"
        assert page.overflowing() == page.js(SCROLLED) == [], state.__name__
        assert page.js("return document.documentElement.scrollWidth") <= NARROW[0], state.__name__
        page.screenshot(shots / f"{name}-320-{state.__name__}.png")
        if state in (talk, states.chat_list):
            page.look(DESKTOP)
            assert page.overflowing() == page.js(SCROLLED) == [], state.__name__
            page.screenshot(shots / f"{name}-1280-{state.__name__}.png")
        page.close()


def test_from_right_to_left(browser, speaking, gateway, shots):
    speaking.speak(table("ar"))
    session, threads = gateway.made
    arabic = gateway.post(f"/v1/sessions/{session}/threads", {"name": "سؤال عن الطلب 4711"})["id"]
    states.talk(gateway, session, arabic, [("toAgent", "مرحبا! أين طلبي رقم 4711؟"), ("toClient", "Good morning! It is on its way.")])
    page = states._as_customer(browser, session, f"&thread={arabic}", size=DESKTOP)
    page.shows("مرحبا! أين طلبي رقم 4711؟", "Good morning! It is on its way.")
    page.screenshot(shots / "ar-1280-own-language.png")
    sides = """
      const box = (css) => document.querySelector(css).getBoundingClientRect();
      const own = all('message', '[data-direction=toAgent]')[0].querySelector('.bubble').getBoundingClientRect();
      const other = all('message', '[data-direction=toClient]')[0].querySelector('.bubble').getBoundingClientRect();
      return [box('.sidebar').left > box('.conversation').right - 1, own.right < other.right, box('.send').left < box('.composer textarea').left,
        getComputedStyle(document.querySelector('.send .icon')).transform, getComputedStyle(all('composer')[0]).direction];
    """
    assert page.js(sides) == [True, True, True, "matrix(-1, 0, 0, 1, 0, 0)", "rtl"], "the list, one's own messages, the send button"
    directions = "return all('message').map((one) => getComputedStyle(one.querySelector('.text')).direction)"
    assert page.js(directions) == ["rtl", "ltr"], "each message in its own direction"
    assert page.js("return getComputedStyle(document.querySelector('.message time')).unicodeBidi") == "isolate"
    page.write("composer", "Hello")
    assert page.js("return getComputedStyle(all('composer')[0]).direction") == "ltr", "a field follows what is written in it"
    page.look(PHONE)
    page.screenshot(shots / "ar-390-own-language.png")
    assert page.overflowing() == []


def test_a_refusal_is_told_in_the_language(browser, speaking, gateway, console):
    """By its code: the gateway's own sentences are English, and for developers."""
    console.expect("Names need a multi-thread channel")
    texts = table("de")
    speaking.speak(texts)
    session, threads = gateway.made
    page = states._as_customer(browser, session, f"&thread={threads[0]}")
    page.shows("Yes please. That was quick 👍")
    page.js("""
      const real = window.fetch;
      window.fetch = (address, how) => (how?.method === 'PATCH' ? Promise.resolve(new Response(
        JSON.stringify({code: 'unsupportedChannelConfig', status: 409, detail: 'Names need a multi-thread channel.'}), {status: 409, headers: {'Content-Type': 'application/problem+json'}},
      )) : real(address, how));
    """)
    page.click("rename")
    page.fill("field-name", "Lampe")
    page.click("rename-submit")
    page.says("notes", texts["problems"]["unsupportedChannelConfig"])
