/** The shared worker: a hub, with one port for each tab. */
import { Parley } from '../parley.js';
import { StreamHub } from './stream-hub.js';

const hub = new StreamHub(new Parley());

globalThis.onconnect = ({ ports: [port] }) => {
  const follower = { post: (message) => port.postMessage(message) };
  port.onmessage = ({ data }) => {
    if (data.op === 'follow') {
      hub.follow(follower, data);
    } else if (data.op === 'leave') {
      hub.leave(follower);
    } else if (data.op === 'tab') {
      // A port does not tell that its tab is closed or has crashed. The tab holds this lock as long as it exists.
      navigator.locks.request(data.lock, () => hub.leave(follower));
    }
  };
  port.postMessage({ op: 'hello' });
};
