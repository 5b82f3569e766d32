/** The shop's people: adding, inviting, changing and ending them. */
import { channelsIn, listView, rowButton, showOnce, shownTime, showRows, sure } from './access-parts.js';
import { ask } from './dialogs.js';
import { el } from './dom.js';
import { texts } from './texts.js';

const words = texts.access;
const roles = ['agent', 'supervisor', 'administrator'].map((role) => [role, words.roles[role]]);
const fields = (person = {}) => [
  { name: 'name', label: texts.common.name, value: person.name, required: true, maxLength: 128 },
  { name: 'publicName', label: words.publicName, value: person.publicName, maxLength: 128, hint: words.publicNameHint },
  { name: 'email', label: texts.signIn.email, value: person.email, type: 'email', required: true, maxLength: 254 },
  { name: 'role', label: words.role, value: person.role, options: roles },
  { name: 'channels', label: words.channels, value: person.channels?.join(' '), hint: words.channelsHint },
];

export class PeopleView {
  #parley;
  #run;

  /** @param {import('../parley.js').Parley} parley @param {(action: () => Promise<void>) => Promise<void>} run */
  constructor(parley, run) {
    this.#parley = parley;
    this.#run = run;
    const { element, list } = listView(words.people, words.addPerson, 'person-add', () => run(() => this.#add()));
    [this.element, this.list] = [element, list];
  }

  async load() {
    const { items } = await this.#parley.request('GET', '/v1/people');
    const titles = [texts.common.name, texts.signIn.email, words.role, words.channels, words.state, words.lastSeen, ''];
    const rows = items.map((person) => [
      person.publicName ? `${person.name} (${person.publicName})` : person.name,
      person.email,
      words.roles[person.role],
      person.channels ? person.channels.join(', ') || words.none : words.all,
      words.states[person.state],
      shownTime(person.lastSeenAt),
      el('span', { class: 'filters' }, this.#buttons(person)),
    ]);
    showRows(this.list, words.people, 'people', titles, rows, words.noPeople);
  }

  #buttons(person) {
    const act = (action) => () => this.#run(async () => {
      if ((await action()) !== false) await this.load();
    });
    const path = `/v1/people/${encodeURIComponent(person.id)}`;
    const post = (part) => this.#parley.request('POST', `${path}/${part}`);
    const isDisabled = person.state === 'disabled';
    const remove = async () => {
      if (!(await sure(words.removePersonHint({ name: person.name }), words.remove))) return false;
      return this.#parley.request('DELETE', path);
    };
    return [
      rowButton(words.change, 'person-change', act(() => this.#change(person, path))),
      rowButton(words.invite, 'person-invite', act(async () => this.#showInvitation(person, await post('invite')))),
      rowButton(words.signOut, 'person-sign-out', act(() => post('signOut'))),
      rowButton(isDisabled ? words.enable : words.disable, 'person-state', act(() => this.#patch(path, { state: isDisabled ? 'active' : 'disabled' }))),
      rowButton(words.remove, 'person-remove', act(remove), 'quiet danger-text'),
    ];
  }

  async #add() {
    const answer = await ask({ title: words.addPerson, submit: words.addAndInvite, test: 'person', fields: fields() });
    if (!answer) return;
    const { name, publicName, email, role } = answer;
    const channels = channelsIn(answer.channels);
    const body = { name, email, role, ...(publicName && { publicName }), ...(channels.length && { channels }) };
    const person = await this.#parley.request('POST', '/v1/people', { body });
    await this.load();
    await this.#showInvitation(person, await this.#parley.request('POST', `/v1/people/${encodeURIComponent(person.id)}/invite`));
  }

  async #change(person, path) {
    const answer = await ask({ title: person.name, submit: texts.common.save, test: 'person', fields: fields(person) });
    if (!answer) return false;
    const { channels: text, ...changed } = answer;
    const channels = channelsIn(text);
    return this.#patch(path, {
      ...changed,
      publicName: answer.publicName || null,
      // An empty field means all channels, but somebody may see none: only what was changed is sent.
      ...(text !== (person.channels?.join(' ') ?? '') && { channels: channels.length ? channels : null }),
    });
  }

  #patch(path, body) {
    return this.#parley.request('PATCH', path, { body });
  }

  #showInvitation(person, { url }) {
    return showOnce(words.invitation, words.invitationHint({ name: person.name }), [[words.address, url]]);
  }
}
