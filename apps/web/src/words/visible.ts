/** What is drawn as nothing, turns the direction of what is around it, or is a line break where there is none. T-03. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFEFF\u200B\u2060]/gu

/** A text as people may see all of it: what has no look of its own becomes a sign that names it. */
export function visible(text: string): string {
  return text.replace(unseen, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    // the control characters have signs of their own
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
