/** The title of a test that proves rules of the spec; their ids stand in brackets at its end. */
export function verifies(ids: string | readonly string[], title: string): string {
  return [title, ...[ids].flat().map((id) => `[${id}]`)].join(' ')
}
