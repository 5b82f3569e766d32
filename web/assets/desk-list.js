/** The desk's list of conversations as a whole: which are on show, how many there are, views of one's own, and choosing several. */
import { bulkBar } from './bulk-bar.js';
import { DeskCounts } from './desk-counts.js';
import { DeskFilters } from './desk-filters.js';
import { noteProblem } from './dialogs.js';
import { set } from './dom.js';
import { texts } from './texts.js';
import { ThreadSelection } from './thread-selection.js';
import { showViews } from './views-dialog.js';

export class DeskList {
  selection = new ThreadSelection();

  /** @param {{parley: import('../parley.js').Parley, stream: EventTarget, channels: HTMLSelectElement,
   *           settings: import('./person-settings.js').PersonSettings, tags: import('./tag-book.js').TagBook,
   *           agent: () => {id: string}|undefined, isMine: (thread: object) => boolean,
   *           workspace: () => import('./workspace.js').Workspace, actions: () => import('./desk-actions.js').DeskActions,
   *           facts: (thread: object) => object}} parts
   *    `channels`: where one channel is chosen; `workspace`, `actions`: made later than this; `facts`: as the list shows them */
  constructor({ parley, stream, channels, settings, tags, agent, isMine, workspace, actions, facts }) {
    Object.assign(this, { settings, workspace, facts });
    const { selection } = this;
    const guard = (action) => workspace().guard(action);
    this.filters = new DeskFilters({
      agent,
      isMine,
      channels,
      tags,
      settings,
      views: () => showViews(settings, () => this.#view, (view) => guard(() => this.show(view))),
      select: () => (selection.isOn ? selection.end() : selection.start()),
      changed: () => guard(() => this.filter()),
    });
    this.bulk = bulkBar({ selection, actions, workspace });
    const ask = () => parley.request('GET', '/v1/desk/counts', { query: { ...(channels.value && { channel: channels.value }) } });
    // Before the list is there, nobody needs to know.
    const events = new EventTarget();
    stream.addEventListener('event', ({ detail }) => workspace().inbox?.isJoined && events.dispatchEvent(new CustomEvent('event', { detail })));
    this.counts = new DeskCounts(ask, events);
    this.counts.addEventListener('change', () => workspace().list.showCounts(...this.filters.said(this.counts.numbers)));
    selection.addEventListener('change', () => set(this.filters.select, 'aria-pressed', String(selection.isOn)));
    tags.addEventListener('change', () => workspace().inbox && workspace().list.render());
  }

  /** For the view of the list. */
  get options() {
    const { filters, selection, facts } = this;
    return {
      itemTest: 'desk-thread',
      segments: filters.segments,
      filters: filters.filters,
      selection,
      chooseLabel: (name) => texts.selection.choose({ name }),
      tools: [filters.element, this.bulk],
      changed: () => selection.end(),
      filtered: () => this.workspace().guard(() => this.workspace().inbox.reload()),
      empty: (state) => (state === 'open' ? texts.desk.noOpen : state === 'snoozed' ? texts.desk.noSnoozed : texts.desk.none),
      accept: (thread) => filters.accepts(thread, this.workspace().inbox.state),
      facts,
    };
  }

  /** What the gateway is asked for. @param {string} state  of a segment */
  query(state) {
    return { ...this.filters.query(state), ...this.workspace().list.query(state) };
  }

  /** Another channel, tag or order was chosen. */
  async filter() {
    const { filters, settings, selection, counts } = this;
    if (!this.workspace().inbox) return; // it is about to be shown
    if (filters.order.value !== settings.get('order')) settings.set({ order: filters.order.value }).catch(noteProblem);
    selection.end();
    this.workspace().list.render();
    counts.refresh();
    await this.workspace().inbox.reload();
  }

  /** @param {import('./saved-views.js').View} view */
  async show(view) {
    const { list } = this.workspace();
    this.filters.choose(view);
    list.choose(view.filter);
    if (this.filters.segments.some(({ state }) => state === view.state)) list.show(view.state);
    await this.filter();
  }

  /** Open conversations of one kind. @param {string} name  of a filter */
  showOpen(name) {
    this.workspace().list.show('open');
    this.workspace().list.choose(name);
  }

  get #view() {
    return { ...this.filters.chosen, state: this.workspace().inbox.state, filter: this.workspace().list.filter.name };
  }
}
