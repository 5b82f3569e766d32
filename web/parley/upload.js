/** Uploads of which one sees how far they are. */
import { answered, refusal, unreachable } from './errors.js';

/** fetch tells nothing of an upload's progress.
 *  @param {string} url
 *  @param {Blob} file
 *  @param {Record<string, string>} headers
 *  @param {(sent: number, total: number) => void} onProgress
 *  @param {AbortSignal} [signal] */
export function uploadByXHR(url, file, headers, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => (request.abort(), reject(signal?.reason));
    if (signal?.aborted) return reject(signal.reason);
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onerror = request.ontimeout = () => reject(unreachable());
    request.onload = async () => {
      const { status, statusText, responseText } = request;
      try {
        if (status >= 200 && status < 300) return resolve(answered(responseText));
        const retry = request.getResponseHeader('retry-after');
        const answer = new Response(responseText, { status, statusText });
        if (retry) answer.headers.set('Retry-After', retry);
        throw await refusal(answer);
      } catch (error) {
        reject(error);
      }
    };
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop, { once: true });
    request.send(file);
  });
}
