/** PostgreSQL stores neither a NUL nor half a surrogate pair, in text as in JSON. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The same text with a replacement character for what cannot be stored. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}
