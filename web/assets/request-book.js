/** The gateway's newest requests as the inspector keeps them, and the problems among them. */

const MOST = 500;

export class RequestBook {
  /** Oldest first, each with its number as `id`. */
  rows = [];
  last = 0;
  /** @type {{until?: string, bytes: number}} */
  capture = { bytes: 0 };

  /** Takes an answer of `/v1/requests`. @param {{items: object[], last: number, capture: object}} page */
  take({ items, last, capture }) {
    // Smaller numbers than before: the gateway was started anew.
    if (last < this.last) this.rows = [];
    this.rows = [...this.rows, ...items.map((item) => ({ ...item, id: String(item.number) }))].slice(-MOST);
    this.last = last;
    this.capture = capture;
  }

  /** @param {{text?: string, status?: string, token?: string}} filter */
  shown({ text, status, token }) {
    const wanted = text?.toLowerCase();
    return this.rows.filter((row) =>
      (!status || String(row.status)[0] === status) && (!token || row.token === token) &&
      (!wanted || [row.method, row.path, row.id, row.operation, row.session, row.problem?.code].some((one) => one?.toLowerCase().includes(wanted))));
  }

  /** Refused requests by code and route, those with the newest last request first. */
  problems() {
    const groups = new Map();
    for (const row of this.rows) {
      if (row.status < 400) continue;
      const code = row.problem?.code ?? String(row.status);
      const route = `${row.method} ${row.route ?? row.path}`;
      const id = `${code} ${route}`;
      const count = (groups.get(id)?.count ?? 0) + 1;
      groups.delete(id); // it moves to the end
      groups.set(id, { id, code, route, count, last: row });
    }
    return [...groups.values()].reverse();
  }
}
