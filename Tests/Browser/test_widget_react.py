"""The article's component for React, run with Debian's React. Debian has no Vue 3."""

import re
from pathlib import Path

import pytest

from widget_host import Host
from widget_sites import Site, StubGateway

ARTICLE = Path(__file__).parents[2] / "Sources/parley/Parley.docc/Widget.md"
FILES = Path("/usr/share/nodejs")
SCRIPT = {"Content-Type": "text/javascript; charset=utf-8"}
APP = """
import { Chat } from '/chat.js';
const { createElement, StrictMode, useState } = React;

const identity = () => 'a-jwt';
const heard = (count) => told.push(['heard', count]);
function App() {
  const [view, setView] = useState('one');
  window.show = setView;
  return createElement('main', {}, createElement('h1', {}, view),
    view === 'none' ? null : createElement(Chat, { key: view === 'two' ? 'other' : 'same', channel: 'help', identity, onUnread: heard }));
}
ReactDOM.createRoot(document.querySelector('#app')).render(createElement(StrictMode, {}, createElement(App)));
"""


@pytest.fixture
def gateway():
    stub = StubGateway()
    yield stub
    stub.close()


@pytest.fixture
def shop():
    site = Site()
    yield site
    site.close()


def test_the_article_s_component(browsers, gateway, shop):
    [component] = re.findall(r"```js\n(import [^`]* from 'react';.*?)```", ARTICLE.read_text(), re.S)
    names = re.search(r"import (\{.*?\}) from 'react'", component)[1]
    shop.pages["/react.js"] = ((FILES / "react/umd/react.development.js").read_text(), SCRIPT)
    shop.pages["/react-dom.js"] = ((FILES / "react-dom/umd/react-dom.development.js").read_text(), SCRIPT)
    shop.pages["/react.mjs"] = (f"export const {names} = React;", SCRIPT)
    shop.pages["/chat.js"] = (component.replace("https://chat.shop.example", gateway.address), SCRIPT)
    shop.pages["/app.js"] = (APP, SCRIPT)
    head = ('<script src="/host.js"></script><script src="/react.js"></script><script src="/react-dom.js"></script>'
            '<script type="importmap">{"imports": {"react": "/react.mjs"}}</script>')
    body = '<div id="app"></div><script type="module" src="/app.js"></script>'
    page = Host(browsers(signed_in=False).page(agent=None)).go(shop.shop("/react", gateway, body, head=head)).shows().click().ready()
    page.wait(lambda: page.heard("identify") == [{"type": "identify", "jwt": "a-jwt"}], "the JWT is there")
    was = page.frame("return was")
    page.say({"type": "unread", "count": 2})
    page.tells("heard", 2)
    assert page.told().count(["heard", 2]) == 1, "one component hears it once, also under StrictMode"
    page.js("show('three')")
    page.wait(lambda: page.js("return document.querySelector('#app h1').textContent") == "three", "it was drawn anew")
    page.js("show('two')")
    page.wait(lambda: page.js("return document.querySelector('#app h1').textContent") == "two", "another component has the chat")
    assert page.frame("return was") == was and page.js("return chat.isOpen") is True, "the chat went on"
    page.say({"type": "unread", "count": 3})
    page.tells("heard", 3)
    page.js("show('none')")
    page.wait(lambda: page.js("return document.querySelector('parley-holder') === null"), "without a component there is no chat")
