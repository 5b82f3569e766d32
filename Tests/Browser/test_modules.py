"""A host page that replaces modules: the example in web/assets/custom.js."""

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
