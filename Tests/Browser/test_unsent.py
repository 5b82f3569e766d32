"""Messages that the gateway has, but could not yet send on, or not at all: what a remote service's collection tells of them.

The page's own parts, on a conversation whose service is played by the test: no service that comes with Parley is that far away.
"""

import pytest

STAGE = """
const [{Conversation}, {MessagePane}, {Outbox}] = await Promise.all(
  ['conversation', 'message-pane', 'outbox'].map((name) => import(`/assets/${name}.js`)));
const message = (id, status, more) => ({id, threadId: 't', text: id, type: 'text', status, direction: 'toAgent', author: {id: 'me', kind: 'customer'},
  createdAt: '2026-05-04T09:30:00.000Z', updatedAt: '2026-05-04T09:30:00.000Z', ...more});
const view = {id: 'c', version: 1, items: [message('first', 'delivered'), message('answer', 'seen', {direction: 'toClient', author: {id: 'mara', name: 'Mara', kind: 'agent'}})],
  pending: [], failed: [], hasPrevious: false, hasNext: false};
const calls = [];
window.stage = {view};
const side = {
  own: 'toAgent', isMe: ({id}) => id === 'me', isOwn: ({author}) => author.id === 'me', author: () => ({id: 'me', kind: 'customer'}), isOther: () => false,
  mayEdit: () => true, mayRemove: () => true, mayReply: () => true, mayAttach: () => false, named: ({id}) => ({threadId: id}),
  collections: {create: async () => ({...view}), fetch: async () => stage.fetch?.() ?? {hasMore: false}, get: async () => ({...view}), delete: async () => {}},
  resend: async (_, id) => void calls.push(['resend', id]), remove: async (_, id) => void calls.push(['remove', id]),
};
const thread = {id: 't', state: 'ready', members: [{id: 'me'}]};
const conversation = new Conversation({side, thread: () => thread, key: 't', outbox: new Outbox(async (message) => message)});
const pane = new MessagePane({use: 'conversation', closedNote: ''});
document.body.replaceChildren(pane.transcript.element, pane.composer.element);
pane.show(conversation);
conversation.addEventListener('change', () => pane.render());
await conversation.load();
Object.assign(window.stage, {calls, message, pane, tell: (type, data) => conversation.take({type: `collection.${type}`, data: {collectionId: 'c', version: ++view.version, ...data}})});
"""


@pytest.fixture
def stage(browser, gateway):
    page = browser.page("/")
    page.find("channel-picker")
    page.js(f"return (async () => {{ {STAGE} }})()")
    page.shows("first", "answer")
    return page


def tell(page, kind, **data):
    page.js("stage.tell(arguments[0], arguments[1])", kind, data)


def message(page, name, status):
    return page.js("return stage.message(arguments[0], arguments[1])", name, status)


def failure(page, name):
    script = "const one = all('message').find((one) => one.dataset.id === arguments[0])?.querySelector('.failure'); return one?.checkVisibility() ? [...one.querySelectorAll('button')].map((one) => one.textContent) : null"
    return page.js(script, name)


def test_what_is_being_sent_stands_behind_what_is_confirmed(stage):
    tell(stage, "insert", list="pending", items=[message(stage, "mine", "pending")], indices=[0])
    stage.shows("first", "answer", "mine")
    assert stage.status("mine") == "pending" and failure(stage, "mine") is None
    assert stage.js("return all('message').at(-1).querySelector('[data-test=mark]').getAttribute('aria-label')") == "Sending"
    assert stage.js("return all('message').at(-1).querySelectorAll('.actions button:not([hidden])').length") == 0
    tell(stage, "insert", items=[message(stage, "later answer", "seen")], indices=[2])
    stage.shows("first", "answer", "later answer", "mine")
    tell(stage, "remove", list="pending", ids=["mine"])
    tell(stage, "insert", items=[message(stage, "mine", "sent")], indices=[3])
    stage.shows("first", "answer", "later answer", "mine")
    assert stage.status("mine") == "sent"
    assert stage.js("return all('message').at(-1).querySelectorAll('.actions button:not([hidden])').length") == 3


def test_what_failed_can_be_sent_again_or_removed_at_the_gateway(stage):
    for name in ("one", "two"):
        tell(stage, "insert", list="pending", items=[message(stage, name, "pending")], indices=[0])
        tell(stage, "remove", list="pending", ids=[name])
        tell(stage, "insert", list="failed", items=[message(stage, name, "failed")], indices=[0 if name == "one" else 1])
    stage.shows("first", "answer", "one", "two")
    assert failure(stage, "one") == failure(stage, "two") == ["Resend", "Remove"]
    stage.click("retry", ":is([data-id=one] *)")
    stage.click("discard", ":is([data-id=two] *)")
    assert stage.js("return stage.calls") == [["resend", "one"], ["remove", "two"]]
    assert stage.texts()[-2:] == ["one", "two"], "events alone change the list"
    tell(stage, "update", list="failed", items=[message(stage, "one", "failed")], reason="resendFailed")
    assert failure(stage, "one") == ["Resend", "Remove"]
    tell(stage, "remove", list="failed", ids=["two"], reason="manualAction")
    stage.shows("first", "answer", "one")
    tell(stage, "remove", list="failed", ids=["one"], reason="resendSucceeded")
    tell(stage, "insert", items=[message(stage, "one", "sent")], indices=[2])
    stage.shows("first", "answer", "one")
    assert failure(stage, "one") is None and stage.status("one") == "sent"


def test_the_last_page_is_shown_though_one_scrolls_as_it_comes(browser, gateway):
    """A scroll event between the page's arrival and the frame that shows it must not lose what was asked for."""
    page = browser.page("/")
    page.find("channel-picker")
    rows = "Object.assign(view, {hasPrevious: true, items: Array.from({length: 50}, (_, at) => message(`row ${at + 50}`, 'seen'))}); const calls = [];"
    script = STAGE.replace("const calls = [];", rows).replace("'change', () => pane.render()", "'change', () => {}")
    first = page.js(
        f"return (async () => {{ {script}"
        "pane.transcript.element.style.height = '400px';"
        "pane.render();"
        "const [box] = all('transcript'), frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));"
        "await frame(); await frame();"
        "stage.fetch = () => { stage.tell('insert', {items: Array.from({length: 50}, (_, at) => message(`row ${at}`, 'seen')), indices: Array.from({length: 50}, (_, at) => at)}); };"
        "box.scrollTop = 0;"
        "await frame(); await frame();"  # it has asked, and the page is there
        "box.dispatchEvent(new Event('scroll'));"
        "pane.render();"
        "return all('message')[0].querySelector('.text').textContent;"
        "})()"
    )
    assert first == "row 0"
