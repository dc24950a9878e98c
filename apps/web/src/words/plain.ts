/** A short text without the marks of Markdown that stand around words: for a line, which is no document. */
export function plain(markdown: string): string {
  return markdown
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(/^#{1,6} +/gm, '')
}
