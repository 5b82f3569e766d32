/** Reads custom fields, or merges `values` into them. */
export function fields(parley, where, values) {
  return values ? parley.request('PUT', where, { body: { customFields: values } }) : parley.request('GET', where);
}
