import { stripVTControlCharacters, styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

// Controls but for tab and newline, and what turns the direction of text around.
// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// Strings that a terminal acts on (title, clipboard, link); they end with BEL, ST or never.
const opening = String.raw`(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])`
const ending = String.raw`(?:\u0007|\u001b\\|\u009c|$)`
const controlStrings = new RegExp(String.raw`${opening}[^\u0007\u001b\u009c]*${ending}`, 'g')

/** Text of others made harmless for a terminal: what is left are printable characters, tabs and newlines. */
export function sanitize(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  return stripVTControlCharacters(lines.replace(controlStrings, '')).replace(unsafe, '')
}

/** The same on one line. */
export function oneLine(text: string): string {
  return sanitize(text).replace(/\s+/g, ' ').trim()
}

/** JSON that a terminal can show: what `sanitize` would remove is escaped, so nothing is lost. */
export function jsonText(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value, null, 2))
}

/** The same on one line. */
export function jsonLine(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value))
}

function escapeUnsafe(json: string): string {
  const escape = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(unsafe, escape)
}

/** Colour only where a person looks at the stream: a terminal, and no NO_COLOR. */
export function paint(style: Style, text: string, stream: NodeJS.WritableStream): string {
  return styleText(style, text, { stream })
}

/**
 * Bytes of somebody's output in, whole harmless lines out, so that no escape sequence or character is cut. `read` says
 * what is shown of a line, which may be nothing.
 */
export function createLineSanitizer(read: (line: string) => string | undefined = (line) => line) {
  const decoder = new TextDecoder()
  let held = ''
  return {
    add(bytes: Uint8Array): string {
      held += decoder.decode(bytes, { stream: true })
      const end = held.lastIndexOf('\n') + 1
      const lines = held.slice(0, end).split('\n').slice(0, -1)
      held = held.slice(end)
      const shown = lines.map(read).filter((line) => line !== undefined)
      return sanitize(shown.map((line) => `${line}\n`).join(''))
    },
    end: () => sanitize(read(held + decoder.decode()) ?? ''),
  }
}
