import type { ReadPart } from './read-log.ts'

/** The whole log as a file, in the words of the service where something is not kept. */
export async function downloadLog(
  read: ReadPart,
  { name, onPart, signal }: { name: string; onPart: (part: number) => void; signal: AbortSignal },
): Promise<void> {
  // the browser keeps these outside of the page
  const parts: Blob[] = []
  let at = 0
  for (;;) {
    const { start, bytes, length } = await read({ offset: at }, signal)
    if (start > at) parts.push(new Blob([gapLine(start - at)]))
    parts.push(new Blob([Uint8Array.from(bytes)]))
    at = start + bytes.length
    onPart(length === 0 ? 1 : at / length)
    if (bytes.length === 0) break
  }
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** As the service says it. */
export function gapLine(bytes: number): string {
  return `\n… ${bytes} bytes of output are not kept …\n`
}
