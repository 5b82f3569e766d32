/** Takes the place of the input: an invitation to the conversation, to be accepted or declined. */
import { el } from './dom.js';
import { isInvited } from './membership.js';
import { texts } from './texts.js';

export class InvitationBar {
  /** @param {(isAccepted: boolean) => Promise<void>} answer */
  constructor(answer) {
    const click = (isAccepted) => async () => {
      this.#setBusy(true);
      await answer(isAccepted);
      this.#setBusy(false);
    };
    const button = (style, test, label, isAccepted) =>
      el('button', { type: 'button', class: style, data: { test }, on: { click: click(isAccepted) } }, label);
    this.buttons = [
      button('primary', 'invitation-join', texts.invitation.join, true),
      button('quiet', 'invitation-decline', texts.invitation.decline, false),
    ];
    const text = texts.invitation.text;
    this.element = el(
      'div',
      { class: 'invitation', role: 'group', 'aria-label': texts.invitation.label, hidden: true, data: { test: 'invitation' } },
      el('p', {}, text),
      this.buttons,
    );
  }

  update(thread) {
    this.element.hidden = !isInvited(thread) || thread.state === 'closed';
  }

  #setBusy(isBusy) {
    for (const one of this.buttons) one.disabled = isBusy;
  }
}
