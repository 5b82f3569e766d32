/** The note on the first page of a gateway that runs a demonstration: what to try there, at the desk, and with curl. */
import { el } from './dom.js';
import { texts } from './texts.js';

/** A text with an element at the place of its link. @param {(values: {link: string}) => string} text @param {HTMLElement} link */
function around(text, link) {
  const [before, after] = text({ link: '\0' }).split('\0');
  return [before, link, after];
}

/** @param {import('../parley.js').Demonstration} demonstration @param {string} origin  the gateway's address */
export function demoNote({ customer, channels }, origin) {
  return el(
    'section',
    { class: 'demo-note', data: { test: 'demo-note' } },
    el('h2', {}, texts.demo.heading),
    el(
      'ol',
      {},
      el('li', {}, texts.demo.write),
      el('li', {}, texts.demo.ask),
      el('li', {}, around(texts.demo.answer, el('a', { href: '/desk', target: '_blank', data: { test: 'demo-desk' } }, texts.demo.desk))),
    ),
    el(
      'details',
      { data: { test: 'demo-curl' } },
      el('summary', {}, texts.demo.curl),
      el('pre', {}, el('code', {}, commands(origin, channels[0], customer.id))),
      el('p', { class: 'muted' }, texts.demo.token),
    ),
  );
}

/** Writes as the customer, and shows what happens in the next five seconds: the bot's answer too. */
function commands(origin, channel, customer) {
  return `API=${origin}/v1
AUTH="Authorization: Bearer $(cat ~/.local/share/parley/token)"
JSON='Content-Type: application/json'
field() { grep -o "\\"$1\\":\\"[^\\"]*" | head -1 | cut -d'"' -f4; }
SESSION=$(curl -s $API/sessions -H "$AUTH" -H "$JSON" -d '{"channel":"${channel}","customer":{"id":"${customer}"}}')
S=$(echo "$SESSION" | field id)
T=$(curl -s $API/sessions/$S/threads -H "$AUTH" -H "$JSON" -d '{"name":"From a shell"}' | field id)
curl -s $API/sessions/$S/threads/$T/messages -H "$AUTH" -H "$JSON" -d '{"text":"Where is my order?"}'; echo
curl -sN --max-time 5 "$API/sessions/$S/events?types=message.created&after=$(echo "$SESSION" | field cursor)" -H "$AUTH"
`;
}
