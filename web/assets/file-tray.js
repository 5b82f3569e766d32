/** The files that will go with the next message: chosen, dropped or pasted. */
import { preview } from './attachment-view.js';
import { el, icon, iconButton, place } from './dom.js';
import { fileSize } from './format.js';
import { texts } from './texts.js';

export class FileTray {
  #chips = new Map(); // File -> element

  /** @type {File[]} */
  files = [];

  /** @param {() => void} changed @param {string} hook */
  constructor(changed, hook) {
    this.changed = changed;
    this.element = el('ul', { class: 'tray', hidden: true, 'aria-label': texts.files.tray, data: { test: `${hook}tray` } });
  }

  add(files) {
    this.set([...this.files, ...files]);
  }

  set(files) {
    this.files = [...files];
    const before = this.#chips;
    this.#chips = new Map(this.files.map((file) => [file, before.get(file) ?? this.#make(file)]));
    place(this.element, [...this.#chips.values()]);
    this.element.hidden = this.files.length === 0;
    this.changed();
  }

  #make(file) {
    const picture = el('span', { class: 'tray-picture' }, icon('file'));
    if (file.type.startsWith('image/')) preview(file, 36, 36).then((canvas) => place(picture, [canvas]), () => {});
    const remove = iconButton(
      'close',
      texts.files.remove({ name: file.name }),
      { on: { click: () => this.set(this.files.filter((one) => one !== file)) } },
    );
    const text = el(
      'span',
      { class: 'tray-text' },
      el('span', { class: 'file-name', dir: 'auto' }, file.name),
      el('span', { class: 'file-size' }, fileSize(file.size)),
    );
    return el('li', { class: 'tray-file', data: { test: 'tray-file' } }, picture, text, remove);
  }
}

/** Lets files be dropped on an element.
 *  @param {HTMLElement} element @param {() => boolean} may @param {(files: File[]) => void} take */
export function acceptDrops(element, may, take) {
  const carriesFiles = (event) => event.dataTransfer?.types.includes('Files') && may();
  let depth = 0; // entering a child leaves its parent
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    element.classList.toggle('dropping', depth > 0);
  };
  element.addEventListener('dragenter', (event) => carriesFiles(event) && (event.preventDefault(), mark(1)));
  element.addEventListener('dragleave', (event) => carriesFiles(event) && mark(-1));
  element.addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault());
  element.addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    mark(0);
    take([...event.dataTransfer.files]);
  });
}
