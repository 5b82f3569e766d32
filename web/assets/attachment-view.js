/** A message's files: images as previews, others as lines with name and size; both lead to the content. */
import { el, icon, iconButton, place, set, setText } from './dom.js';
import { fileSize, share } from './format.js';
import { keepTicket } from './tickets.js';
import { texts } from './texts.js';

/** The types of pictures that are shown. SVG is not one of them, because it may hold scripts and links. */
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

export class AttachmentView {
  #views = new Map(); // id or key -> element

  /** @param {(id: string) => Promise<{url: string, until: number}>} url  where an attachment's content is, and how long
   *  @param {(key: string) => void} cancel  called with a file that is not to go after all */
  constructor(url, cancel) {
    Object.assign(this, { url, cancel });
    this.element = el('div', { class: 'files', hidden: true });
  }

  /** @param {{attachments?: import('../parley.js').Attachment[], files?: import('./outbox.js').Upload[],
   *  status: string}} message */
  update(message) {
    const before = this.#views;
    const files = message.attachments?.length ? message.attachments : (message.files ?? []);
    this.#views = new Map(files.map((file) => [file.key ?? file.id, before.get(file.key ?? file.id) ?? this.#make(file)]));
    for (const file of files) this.#update(this.#views.get(file.key ?? file.id), file, message.status);
    place(this.element, [...this.#views.values()]);
    this.element.hidden = files.length === 0;
  }

  #make(file) {
    return file.file ? this.#upload(file) : IMAGE.test(file.mimeType) ? this.#image(file) : this.#file(file);
  }

  #image(file) {
    const image = el('img', { alt: file.name, loading: 'lazy', decoding: 'async' });
    const link = el('a', { class: 'image', target: '_blank', rel: 'noopener', title: file.name, data: { test: 'image' } }, image);
    const get = () => this.url(file.id);
    let address;
    keepTicket(link, get, (url) => (address = image.src = url));
    const failed = async () => {
      // What is loaded when it comes into view may have waited for longer than its ticket is good.
      const { url } = await get().catch(() => ({}));
      if (url && url !== address) return void (address = image.src = url);
      const line = this.#file(file);
      if (this.#views.get(file.id) === link) this.#views.set(file.id, line);
      link.replaceWith(line);
    };
    image.addEventListener('error', failed);
    return link;
  }

  #file(file) {
    const link = el(
      'a',
      { class: 'file', download: file.name, data: { test: 'file' } },
      icon('file'),
      el('span', { class: 'file-name', dir: 'auto' }, file.name),
      el('span', { class: 'file-size' }, fileSize(file.size)),
    );
    keepTicket(link, () => this.url(file.id));
    return link;
  }

  /** A file that is being uploaded or waits for it. Its picture is drawn from the file itself, because the page's policy
   *  allows no `blob:` images. */
  #upload(upload) {
    const label = texts.files.uploading({ name: upload.name });
    const progress = el('progress', { max: 1, value: 0, 'aria-label': label, data: { test: 'progress' } });
    const name = el('span', { class: 'file-name', dir: 'auto' }, upload.name);
    const line = el('div', { class: 'file' }, icon('file'), name, el('span', { class: 'file-size' }, fileSize(upload.size)));
    const cancel = iconButton(
      'close',
      texts.files.cancel({ name: upload.name }),
      { data: { test: 'upload-cancel' }, on: { click: () => this.cancel(upload.key) } },
    );
    const element = el('div', { class: 'upload', data: { test: 'upload' } }, line, cancel, progress);
    if (IMAGE.test(upload.mimeType)) preview(upload.file).then((canvas) => line.replaceWith(canvas), () => {});
    return element;
  }

  #update(element, file, status) {
    const progress = element.querySelector('progress');
    if (!progress) return;
    progress.hidden = status !== 'pending';
    element.querySelector('.icon-button').hidden = status !== 'pending' || Boolean(file.id);
    set(progress, 'value', String(file.progress));
    setText(progress, share(file.progress));
  }
}

/** A small picture of an image file, as a canvas. @param {Blob} file */
export async function preview(file, width = 260, height = 180) {
  const image = await createImageBitmap(file);
  const scale = Math.max(width / image.width, height / image.height);
  const canvas = el('canvas', { class: 'image', width, height, role: 'img', 'aria-label': file.name });
  const [w, h] = [image.width * scale, image.height * scale];
  canvas.getContext('2d').drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
  image.close();
  return canvas;
}
