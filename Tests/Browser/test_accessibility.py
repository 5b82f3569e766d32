"""What assistive technology gets: axe's rules, names and roles as Chromium computes them, contrast, what is announced."""

import pytest
from axe_core_python.base import AXE_FILE_PATH

import states
from page import DESKTOP, PHONE

# axe 4.4 cannot read all colours of today's CSS: contrast is computed below.
AXE = "return axe.run(arguments[0] ?? document, {rules: {'color-contrast': {enabled: false}}, resultTypes: ['violations']})"

# Every text on its ground: the colours as painted, told by a canvas, whatever notation the style uses.
CONTRAST = """
const context = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d', {willReadFrequently: true});
const once = (compute, known = new Map()) => (key) => { if (!known.has(key)) known.set(key, compute(key)); return known.get(key); };
const rgba = once((colour) => { context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1); const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; });
const over = (top, under) => top.slice(0, 3).map((one, at) => one * top[3] + under[at] * (1 - top[3])).concat(1);
const ground = once((node) => (node ? over(rgba(getComputedStyle(node).backgroundColor), ground(node.parentElement)) : [255, 255, 255, 1]));
const opaque = once((node) => (node ? parseFloat(getComputedStyle(node).opacity) * opaque(node.parentElement) : 1));
const light = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4).reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
const ratio = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + 0.05) / (low + 0.05); };
const found = [];
for (const node of document.querySelectorAll('body *')) {
  if (!shown(node) || node.closest('.visually-hidden') || node.disabled) continue;
  const writes = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const isIcon = node.matches('svg.icon');
  if (!writes && !isIcon) continue;
  const opacity = opaque(node);
  if (opacity === 0 || node.closest('button:disabled')) continue;
  const style = getComputedStyle(node);
  const back = ground(node);
  const text = rgba(style.color).with(3, rgba(style.color)[3] * opacity);
  const size = parseFloat(style.fontSize);
  const least = isIcon || size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  const value = ratio(over(text, back), back);
  if (value < least) found.push(`${node.className?.baseVal ?? node.className} "${node.textContent.trim().slice(0, 30)}" ${value.toFixed(2)} < ${least}`);
}
return [...new Set(found)];
"""

SMALL_TARGETS = """
return [...document.querySelectorAll('button, input, select, textarea, a[href]')].filter(shown)
  .filter((node) => getComputedStyle(node).display !== 'inline') // a link within a text
  .map((node) => [node.dataset.test, node.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24)).map(([hook, box]) => `${hook} ${box.width}x${box.height}`);
"""


NAMED = {"button", "textbox", "combobox", "link", "dialog", "img", "checkbox", "radio", "region", "complementary"}


def nodes(page):
    """(role, name) of all that assistive technology is told of."""
    tree = [node for node in page.cdp("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    return [(node.get("role", {}).get("value"), (node.get("name", {}).get("value") or "").strip()) for node in tree]


def violations(page, axe, part=None):
    if not page.js("return 'axe' in window"):
        page.js(axe + ";window.axe = axe")
    found = page.js(AXE, part)["violations"]
    return [f"{violation['id']}: {node['html'][:150]}" for violation in found for node in violation["nodes"]]


def complaints(page, size, axe, part=None):
    """`part`: a selector of what axe looks at, where it has looked at the rest of the page already."""
    yield from violations(page, axe, part)
    yield from (f"less than 24 pixels to touch: {one}" for one in page.js(SMALL_TARGETS))
    yield from (f"no name: {role}" for role, name in nodes(page) if role in NAMED and not name)
    if page.js("return document.documentElement.lang") != "en":
        yield "no language"
    for dark in (False, True):
        page.look(size, dark)
        yield from (f"{'dark' if dark else 'light'}: {one}" for one in page.js(CONTRAST))


@pytest.mark.furnished
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_state_is_accessible_and_fits(browser, made, size):
    """axe's rules, sizes, names, contrast in light and dark; and nothing overflows in windows of other sizes."""
    axe = AXE_FILE_PATH.read_text()
    found = []
    for state in states.STATES:
        page = state(browser, made, size=size)
        found += [f"{state.__name__}: {one}" for one in complaints(page, size, axe)]
        roles = {role for role, _ in nodes(page)} if size == DESKTOP else {"dialog"}
        if not roles & {"dialog"} and not page.has("channel-picker") and not page.has("agent-screen"):  # these hide the rest
            assert {"main", "complementary"} <= roles, state.__name__
        for window in states.WIDE if size == DESKTOP else states.NARROW:
            page.look(window)
            found += [f"{state.__name__} at {window}: {one} overflows" for one in page.overflowing()]
        page.close()
    assert not found, "\n".join(found)


def test_who_is_not_signed_in_is_told_accessibly(browsers, gateway, console):
    console.expect(r"status of 410")
    axe = AXE_FILE_PATH.read_text()
    stranger = browsers(signed_in=False)
    url = gateway.launch_url()
    browsers().page(url).find("channel-picker")
    for path in ("/", url, "/docs/problems/notConnected", "/docs", "/docs/api/services", "/docs/Contributing", "/docs/Configuration"):
        page = stranger.page(path)
        page.find("sign-in") if path == "/" else None
        # The gateway's plain pages are one text without landmarks.
        found = [one for one in complaints(page, DESKTOP, axe) if not one.startswith(("region", "landmark-one-main"))]
        assert found == [], path


@pytest.mark.furnished
def test_marks_and_badges_have_names(browser, gateway, made):
    page = states.desk_list(browser, made)
    assert "unread" in page.js("return all('unread')[0].getAttribute('aria-label')")
    page.close()
    page = states.chat_open(browser, made)
    assert page.js("return all('mark').every((one) => ['Sent', 'Delivered', 'Seen'].includes(one.getAttribute('aria-label')))")


def test_what_arrives_is_announced(browser, gateway):
    page = browser.chat("multi")
    page.click("new-thread")
    page.send("hello")
    page.becomes("hello", "delivered")
    live = "return document.querySelector('[data-test=live]')"
    assert page.js(live + ".getAttribute('aria-live')") == "polite"
    assert page.js(live + ".textContent") == "", "one's own words are not read back"
    gateway.post(f"/v1/desk/threads/{page.thread}/messages", {"text": "Good morning", "agent": {"id": "mara", "name": "Mara"}})
    page.wait(lambda: page.js(live + ".textContent") == "Mara: Good morning", "the answer is announced")

    def types():
        # Reported again and again, as a page does: what is ephemeral may come before it can be shown.
        gateway.post(f"/v1/desk/threads/{page.thread}/typing", {"isTyping": True, "agent": {"id": "mara", "name": "Mara"}})
        return "Mara is typing" in (page.text("typing") or "")

    page.wait(types, "typing is shown")
    assert page.js("return document.querySelector('[data-test=typing]').getAttribute('role')") == "status"
    assert page.js("return document.querySelector('[data-test=banner]').getAttribute('role')") == "status"


@pytest.mark.furnished
def test_motion_is_reduced_when_asked(browser):
    page = browser.chat("multi")
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    assert page.js("return matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert page.js("return [...document.querySelectorAll('body *')].every((one) => getComputedStyle(one).scrollBehavior === 'auto')")


def test_what_a_screen_covers_cannot_be_reached(browsers, browser):
    """The choice of channels and the sign-in screen lie over the page: Tab must not get behind them."""
    for page, hook in ((states.picker(browser, None), "channel-picker"), (browsers(signed_in=False).page("/"), "sign-in")):
        page.find(hook)
        for _ in range(12):
            page.press("\ue004")
            assert page.js(
                "const at = document.activeElement; return at === document.body || !!at.closest(`[data-test='${arguments[0]}']`)", hook
            ), f"{page.focused()} lies behind {hook}"
