import { readFile } from 'node:fs/promises'

const library = import.meta.resolve('swagger-ui-dist/package.json')

/** A file of the package that draws the page of the API. */
export function readDocsLibrary(name: keyof typeof docsLibrary): Promise<Uint8Array<ArrayBuffer>> {
  return readFile(new URL(name, library))
}

/** What the page loads of it, by type. */
export const docsLibrary = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const
