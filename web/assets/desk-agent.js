/** Who answers at this desk: asked before anything else, remembered by this browser, and changed at will. */
import { newId } from '../parley.js';
import { ask } from './dialogs.js';
import { el } from './dom.js';
import { keepPerson, signedInPerson } from './login.js';
import { cover } from './screen.js';
import { texts } from './texts.js';

const PLACE = 'parley.agent';
const LONGEST = 128;

/** A person who is signed in answers as nobody else. @returns {import('../parley.js').AgentRequest|undefined} */
export function rememberedAgent() {
  const person = signedInPerson();
  if (person) return { id: person.id, name: person.name };
  try {
    const { id, name } = JSON.parse(localStorage.getItem(PLACE)) ?? {};
    return id && name ? { id, name } : undefined;
  } catch {
    return undefined; // written by nobody that we know
  }
}

function remember(name, id = `agent-${newId().slice(-8)}`) {
  const agent = { id, name };
  localStorage.setItem(PLACE, JSON.stringify(agent));
  return agent;
}

/** A screen that stays until there is a name: no answer goes out in nobody's name.
 *  @returns {Promise<import('../parley.js').AgentRequest>} */
export function askAgent() {
  return new Promise((resolve) => {
    const name = el('input', {
      id: 'agent-name',
      name: 'name',
      required: true,
      maxlength: LONGEST,
      pattern: '.*\\S.*',
      autocomplete: 'name',
      data: { test: 'agent-name' },
    });
    const submit = (event) => {
      event.preventDefault();
      const agent = remember(name.value.trim());
      screen.leave();
      resolve(agent);
    };
    const label = el('label', { for: name.id }, texts.people.yourName);
    const field = el('div', { class: 'field' }, label, name, el('small', {}, texts.desk.askName));
    const button = el('button', { class: 'primary', data: { test: 'agent-submit' } }, texts.desk.begin);
    const form = el('form', { class: 'card-form', on: { submit } }, field, button);
    const screen = cover(texts.desk.whoAnswers, 'agent-screen', form);
    name.focus();
  });
}

/** Asks for another name. The id stays, so that earlier answers stay this agent's.
 *  @param {import('../parley.js').Parley} parley
 *  @param {import('../parley.js').AgentRequest} agent @returns {Promise<import('../parley.js').AgentRequest>} */
export async function renameAgent(parley, agent) {
  const field = { name: 'name', label: texts.common.name, value: agent.name, required: true, maxLength: LONGEST };
  const title = texts.people.yourName;
  const answer = await ask({ title, text: texts.desk.askName, submit: texts.common.save, test: 'agent', fields: [field] });
  if (!answer?.name) return agent;
  if (!signedInPerson()) return remember(answer.name, agent.id);
  keepPerson(await parley.request('PATCH', '/v1/me', { body: { publicName: answer.name } }));
  return rememberedAgent();
}
