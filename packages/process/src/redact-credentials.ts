const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(svcut|svcoa|svcrt|whsec|sess)_[0-9A-Za-z_+/=-]{8,}/g, '$1_[redacted]'],
  // Long enough that "the bearer of this" stays readable.
  [/\b(bearer)\s+[\w.~+/=-]{12,}/gi, '$1 [redacted]'],
  [/(\b[a-z][a-z0-9+]*:\/\/[^\s:@/"]*:)[^\s@/"]+@/gi, '$1[redacted]@'],
]

/** The text in which no credential can be read. */
export function redactCredentials(text: string): string {
  return shapes.reduce((line, [shape, replacement]) => line.replace(shape, replacement), text)
}
