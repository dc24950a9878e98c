/** At most `most` UTF-16 units, the cut marked with …; never half of a surrogate pair, which no database takes. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${withoutHalf(text.slice(0, most - 1))}…`
}

/** The first `most` units, without a mark. */
export function firstOf(text: string, most: number): string {
  return withoutHalf(text.slice(0, most))
}

function withoutHalf(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}
