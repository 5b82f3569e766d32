/** A message's files: pictures, sound and video inline, others as lines with name and size. */
import { el, place } from './dom.js';
import { keepTicket } from '../assets/tickets.js';
import { kindOf } from './files.js';
import { icon, iconButton } from './icons.js';
import { lang, t } from './texts.js';
import { fileSize } from './times.js';

export class FilesView {
  #views = new Map(); // id or key -> element
  #ticket;
  #cancel;

  /** @param {(id: string) => Promise<{url: string, until: number}>} ticket @param {(key: string) => void} cancel */
  constructor(ticket, cancel) {
    [this.#ticket, this.#cancel] = [ticket, cancel];
    this.element = el('div', { class: 'files', hidden: true });
  }

  /** @param {{attachments?: object[], files?: import('./outbox.js').Upload[], status: string}} message */
  update({ attachments, files = [], status }) {
    const all = attachments?.length ? attachments : files;
    const before = this.#views;
    this.#views = new Map(all.map((one) => [one.key ?? one.id, before.get(one.key ?? one.id) ?? this.#make(one)]));
    for (const one of files) this.#views.get(one.key)?.classList.toggle('stands', status !== 'sending' || Boolean(one.id));
    place(this.element, [...this.#views.values()]);
    this.element.hidden = all.length === 0;
  }

  #make(file) {
    if (file.file) return this.#upload(file);
    const kind = kindOf(file.mimeType);
    if (kind === 'image') return this.#image(file);
    return kind === 'file' ? this.#line(file) : this.#player(kind, file);
  }

  #image(file) {
    const image = el('img', { alt: t('files.picture', { name: file.name }), loading: 'lazy', decoding: 'async' });
    const link = el('a', { class: 'image', target: '_blank', rel: 'noopener', title: file.name, data: { test: 'image' } }, image);
    let address;
    const get = () => this.#ticket(file.id);
    keepTicket(link, get, (url) => (address = image.src = url));
    image.addEventListener('error', async () => {
      // What is loaded when it comes into view may have waited for longer than its ticket is good.
      const { url } = await get().catch(() => ({}));
      if (url && url !== address) return void (address = image.src = url);
      const line = this.#line(file);
      if (this.#views.get(file.id) === link) this.#views.set(file.id, line);
      link.replaceWith(line);
    });
    return link;
  }

  #player(kind, file) {
    const player = el(kind, { controls: true, preload: 'metadata', 'aria-label': file.name, data: { test: kind } });
    this.#ticket(file.id).then(({ url }) => (player.src = url), () => {});
    return el('div', { class: 'player' }, player, this.#line(file));
  }

  #line(file) {
    const size = fileSize(file.size, lang());
    const attributes = { class: 'file', download: file.name, 'aria-label': t('files.download', { name: file.name, size }), data: { test: 'file' } };
    const link = el('a', attributes, ...words(file.name, size));
    keepTicket(link, () => this.#ticket(file.id));
    return link;
  }

  /** A file that is on its way, or waits for it. */
  #upload({ key, file }) {
    const label = t('files.uploading', { name: file.name });
    return el(
      'div',
      { class: 'upload', data: { test: 'upload' } },
      el('div', { class: 'file' }, ...words(file.name, fileSize(file.size, lang()))),
      iconButton('close', t('files.cancel', { name: file.name }), { data: { test: 'upload-cancel' }, on: { click: () => this.#cancel(key) } }),
      el('progress', { 'aria-label': label }),
    );
  }
}

function words(name, size) {
  return [icon('file'), el('span', { class: 'file-name', dir: 'auto' }, name), el('bdi', { class: 'file-size' }, size)];
}
