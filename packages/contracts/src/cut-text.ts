/** The first `most` UTF-16 units of a text; never half of a surrogate pair, which no database takes. */
export function cutText(text: string, most: number): string {
  const kept = text.slice(0, most)
  const whole = kept === text ? kept : kept.replace(/[\uD800-\uDBFF]$/, '')
  return whole.toWellFormed()
}
