/** Uploads of which one sees how far they are. */
import { refusal, unreachable } from './errors.js';
import { decoded } from './paths.js';

/** fetch tells nothing of an upload's progress. */
export function uploadByXHR(url, file, headers, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => (request.abort(), reject(signal.reason));
    if (signal?.aborted) return reject(signal.reason);
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onerror = request.ontimeout = () => reject(unreachable());
    request.onload = async () => {
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) return resolve(decoded(responseText));
      const retry = request.getResponseHeader('retry-after');
      const headers = retry ? { 'Retry-After': retry } : {};
      reject(await refusal(new Response(responseText, { status, statusText, headers })));
    };
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop, { once: true });
    request.send(file);
  });
}
