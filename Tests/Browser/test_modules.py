"""A host page that replaces modules: the example in web/assets/custom.js."""

import pytest

import states


def test_the_example_replaces_the_theme_and_the_panel_s_bubbles(browser, gateway):
    session, threads = states.furnish(gateway)
    page = browser.page()
    page.remember({"parley.session.local.multi": session})
    page.go(f"/assets/custom.html?channel=multi&thread={threads[0]}")
    page.ready()
    page.shows("Yes please. That was quick 👍")
    accent = "return getComputedStyle(all(arguments[0])[0]).getPropertyValue('--accent')"
    assert page.js(accent, "transcript") == "#7a1f5c"
    plain = "return all(arguments[0]).map((one) => one.classList.contains('plain'))"
    assert not any(page.js(plain, "message")), "the conversation keeps its own"
    page.click("reply-count")
    page.shows_replies("Eight digits.", "Found it, thank you.")
    assert all(page.js(plain, "panel-message"))
    assert page.js(accent, "panel-transcript") == "#7a1f5c"
    page.look(dark=True)
    page.wait(lambda: page.js(accent, "transcript") == "#f0a3d5", "the theme has a dark side")
    page.reply("and it works")
    page.shows_replies("Found it, thank you.", "and it works")


@pytest.fixture
def page(browser, gateway):
    """The chat page, with a conversation that has replies, before the page's own script runs."""
    session, threads = states.furnish(gateway)
    page = browser.page()
    page.remember({"parley.session.local.multi": session})
    page.go(f"/?channel=multi&thread={threads[0]}")
    page.ready()
    page.shows("Yes please. That was quick 👍")
    return page


OWN = "const own = (name) => import(new URL(`${name}.js`, document.querySelector('script[type=module]').src));"  # as the page loads it
HEADER = """
class Header {
  constructor({close}) {
    this.element = Object.assign(document.createElement('header'), {className: 'own-header'});
    this.element.dataset.test = 'own-header';
    this.element.append(Object.assign(document.createElement('button'), {textContent: 'Away', onclick: close}));
  }
  update({name}) { this.element.dataset.name = name; }
}
"""


def test_a_part_is_replaced_for_one_time(page):
    """As one shows one thread in a view of its own: the next one is as usual."""
    script = f"{OWN} return (async () => {{ {HEADER} const {{replaceOnce}} = await own('modules'); replaceOnce('threadHeader', (parts) => new Header(parts)); }})()"
    page.js(script)
    assert not page.has("own-header")
    page.click("reply-count")
    page.shows_replies("Eight digits.", "Found it, thank you.")
    assert page.js("return all('own-header')[0].dataset.name") == "Broken lamp"
    assert not page.has("panel-close")
    page.reply("into the panel of its own")
    page.js("all('own-header')[0].firstChild.click()")
    page.gone("own-header")
    page.click("reply-count")
    page.shows_replies("Found it, thank you.", "into the panel of its own")
    assert page.has("panel-close") and not page.has("own-header")


def test_bubbles_and_input_are_replaced_for_one_time(page):
    page.js(OWN + """return (async () => {
      const [{replaceOnce}, {MessageView}, {ComposerView}] = await Promise.all(['modules', 'message-view', 'composer-view'].map(own));
      class Loud extends MessageView { update(message, how) { super.update({...message, text: message.text?.toUpperCase()}, how); } }
      class Other extends ComposerView { constructor(options) { super(options); this.element.dataset.test = 'other-input'; } }
      replaceOnce('messageBubble', (...parts) => new Loud(...parts));
      replaceOnce('input', (...parts) => new Other(...parts));
    })()""")
    page.click("reply-count")
    page.shows_replies("EIGHT DIGITS.", "FOUND IT, THANK YOU.")
    assert page.has("other-input")
    assert page.texts()[-1] == "Yes please. That was quick 👍", "the conversation keeps its own"
    page.reply("LOUD")
    page.click("panel-close")
    page.click("reply-count")
    page.shows_replies("Found it, thank you.", "LOUD")
    assert not page.has("other-input")


def test_the_whole_panel_is_replaced(browser, gateway, console):
    """By a page of one's own, in place of `index.html`."""
    console.expect("favicon.ico")  # of the plain page that it is made from
    session, threads = states.furnish(gateway)
    page = browser.page("/docs")
    page.js("localStorage.setItem('parley.session.local.multi', arguments[0]); history.replaceState(null, '', `/?channel=multi&thread=${arguments[1]}`); document.body.replaceChildren()", session, threads[0])
    page.js("""return (async () => {
      const {replaceModule} = await import('/assets/modules.js');
      class Panel {
        constructor({close}) {
          this.element = Object.assign(document.createElement('section'), {hidden: true});
          this.element.dataset.test = 'own-panel';
          this.text = this.element.appendChild(document.createElement('p'));
          this.element.append(Object.assign(document.createElement('button'), {textContent: 'Away', onclick: close}));
        }
        show(replies) {
          this.element.hidden = !replies;
          replies?.addEventListener('change', () => (this.text.textContent = replies.list.items.map(({text}) => text).join('|')), {signal: replies.leave.signal});
        }
        focus() { this.element.querySelector('button').focus(); }
      }
      replaceModule('threadPanel', (options) => new Panel(options));
      await import('/assets/chat-page.js');
    })()""")
    page.ready()
    page.shows("Yes please. That was quick 👍")
    page.click("reply-count")
    page.wait(lambda: page.text("own-panel").startswith("Is it on the invoice?|Yes, at the top right.|Eight digits.|Found it, thank you."), "it shows the replies")
    assert not page.has("panel")
    page.js("all('own-panel')[0].querySelector('button').click()")
    page.gone("own-panel")
    assert "message=" not in page.js("return location.search")


def test_texts_of_one_s_own(browser, gateway, console):
    console.expect("favicon.ico")
    page = browser.page()
    page.remember({"parley.session.local.multi": None})
    page.go("/docs")
    page.js("history.replaceState(null, '', '/?channel=multi'); document.body.replaceChildren()")
    page.js("""return (async () => {
      const [{replaceTexts}] = await Promise.all(['texts', 'modules'].map((one) => import(`/assets/${one}.js`)));
      replaceTexts({composer: {placeholder: 'Nachricht schreiben'}, chat: {start: 'Gespräch beginnen'}, marks: {delivered: 'Zugestellt'}, message: {edit: 'Ändern'}, messages: {empty: 'Noch nichts.'}});
      await import('/assets/chat-page.js');
    })()""")
    page.ready()
    page.says("start", "Gespräch beginnen")
    page.click("start")
    page.says("transcript-empty", "Noch nichts.")
    assert page.js("return all('composer')[0].placeholder") == "Nachricht schreiben"
    page.send("Hallo")
    page.becomes("Hallo", "delivered")
    assert page.js("return all('mark')[0].getAttribute('aria-label')") == "Zugestellt"
    assert page.js("return document.querySelector('[data-test=edit]').title") == "Ändern"
