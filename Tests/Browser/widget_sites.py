"""Two sites for tests of the chat widget: a shop's pages on localhost, and a stand-in for the gateway on 127.0.0.1, whose frame
does what a test tells it to."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

WEB = Path(__file__).parents[2] / "web"

LAUNCHER = {
    "en": {"dir": "ltr", "open": "Open chat", "close": "Close chat", "label": "Chat", "openPage": "Open it in a new tab",
           "cannotLoad": "The chat cannot be loaded here.",
           "openUnread": {"one": "Open chat, {count} unread message", "other": "Open chat, {count} unread messages"}},
    "de": {"dir": "ltr", "open": "Chat öffnen", "close": "Chat schließen", "label": "Chat", "openPage": "In neuem Tab öffnen",
           "cannotLoad": "Der Chat kann hier nicht geladen werden.",
           "openUnread": {"one": "Chat öffnen, {count} ungelesene Nachricht", "other": "Chat öffnen, {count} ungelesene Nachrichten"}},
    "ar": {"dir": "rtl", "open": "فتح الدردشة", "close": "إغلاق الدردشة", "label": "الدردشة", "openPage": "الفتح في علامة تبويب جديدة",
           "cannotLoad": "لا يمكن تحميل الدردشة هنا.", "openUnread": {"other": "فتح الدردشة، {count} رسالة غير مقروءة"}},
}
CONFIG = {"channel": "help", "name": "Shop", "public": True, "isOpen": True, "languages": list(LAUNCHER), "launcher": LAUNCHER,
          "appearance": {"colour": "#0b57d0", "onColour": "#ffffff", "position": "end", "showBubble": True}}

# Keeps what it hears in `heard`, and says what a test lets it say. It answers the greeting with the number `WANTED`.
FRAME = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Frame</title><style>:root { color-scheme: light dark }</style>
<input id="field" aria-label="Message"><script>
window.hellos = [];
window.heard = [];
window.was = performance.now();
addEventListener('message', ({ source, data, ports }) => {
  if (source !== parent || data.parley !== 1 || hellos.push(data) !== WANTED) return;
  window.say = (message) => ports[0].postMessage(message);
  ports[0].onmessage = ({ data }) => {
    heard.push(data);
    if (data.type === 'open' && data.focus !== false && !SHY) field.focus();
    if (data.type === 'shutdown') say({ type: 'done', id: data.id, ok: true });
  };
  say({ type: 'ready', version: VERSION, unread: 0, lang: data.lang });
});
onkeydown = ({ key }) => key === 'Escape' && say({ type: 'closing' });
</script></html>"""

# What a page of a shop looks at, in a file: some pages allow no script within them.
HOST = """
window.told = [];
for (const name of ['ready', 'open', 'close', 'unread', 'message', 'rated', 'identityexpired', 'error']) {
  document.addEventListener(`parley:${name}`, ({ detail }) => told.push(detail ? [name, detail] : [name]));
}
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  if (!blockedURI.endsWith('favicon.ico')) told.push(['violation', violatedDirective, blockedURI]); // that is Firefox's own
});
// What takes the loader 10 s takes 0.5 s.
const wait = setTimeout;
if ('hurry' in document.currentScript.dataset) window.setTimeout = (act, time, ...given) => wait(act, time / 20, ...given);
"""
CHAT = '<parley-chat channel="help" lang="en"><a href="mailto:help@shop.example">Write to us</a></parley-chat>'


class Site:
    """A web server of few pages: `pages[path]` is (content, headers)."""

    def __init__(self, host="localhost"):
        self.pages = {"/host.js": (HOST, {"Content-Type": "text/javascript"}), "/favicon.ico": ("", {"Content-Type": "image/png"})}
        self.asked = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path = urlsplit(self.path).path
                site.asked.append(self.path)
                content, headers = site.pages.get(path, (None, {}))
                body = b"" if content is None else content.encode()
                self.send_response(404 if content is None else 200)
                for name, value in {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://{host}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def shop(self, path, gateway, body=CHAT, *, html="", style="", head=None, host="", **headers):
        """A page with the chat on it; answers its address."""
        head = head or f'<script src="/host.js" {host}></script><script type="module" src="{gateway.address}/widget.js"></script>'
        self.pages[path] = (
            f'<!doctype html><html {html}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title>'
            f"{style and f'<style>{style}</style>'}{head}</head><body><h1>Shop</h1><button id=\"own\">Buy</button>{body}</body></html>",
            {name.replace("_", "-"): value for name, value in headers.items()},
        )
        return self.address + path

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class StubGateway(Site):
    """Serves the loader, a channel's settings, and a frame that a test speaks for."""

    MODULE = {"Content-Type": "text/javascript; charset=utf-8", "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin",
              "Cache-Control": "no-store"}

    def __init__(self):
        super().__init__("127.0.0.1")
        self.pages["/widget.js"] = ((WEB / "widget.js").read_text(), self.MODULE)
        self.channel("help")

    def channel(self, name, *, wanted=1, version=1, shy=False, frame_headers={}, **appearance):
        """Hears `wanted` greetings before it answers. `shy`: its frame does not take the focus."""
        config = {**CONFIG, "channel": name, "appearance": {**CONFIG["appearance"], **appearance}}
        self.pages[f"/widget/{name}/config.js"] = (f"export default {json.dumps(config)};\n", self.MODULE)
        frame = FRAME.replace("WANTED", str(wanted)).replace("VERSION", str(version)).replace("SHY", json.dumps(shy))
        headers = {"Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "cross-origin", **frame_headers}
        self.pages[f"/widget/{name}"] = (frame, headers)
