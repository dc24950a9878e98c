import { describeEventTypes } from '@svc/contracts/event-types'
import { descriptionPaths } from '@svc/contracts/openapi/other-operations'
import { openApiDocument } from '@svc/contracts/openapi/document'
import type { HttpApp } from '@svc/http/create-app'
import { docsLibrary, readDocsLibrary } from './docs-library.ts'
import { docsPage, docsPolicy, docsStart } from './docs-page.ts'

const { openApi, docs, eventTypes } = descriptionPaths

/** What the API says of itself, to everybody. */
export function bindDescription(app: HttpApp): void {
  const document = once(() => JSON.stringify(openApiDocument()))
  const types = once(() => JSON.stringify(describeEventTypes()))
  app.get(openApi, () => answer(document(), { 'content-type': 'application/json' }))
  app.get(eventTypes, () => answer(types(), { 'content-type': 'application/json' }))
  bindDocs(app)
}

/** A page for reading and trying; all that it loads comes from here. */
function bindDocs(app: HttpApp): void {
  app.get(docs, () =>
    answer(docsPage, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': docsPolicy,
      'referrer-policy': 'no-referrer',
    }),
  )
  app.get(`${docs}/start.js`, () =>
    answer(docsStart, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  for (const name of libraryNames) {
    app.get(`${docs}/${name}`, async () =>
      answer(await readDocsLibrary(name), { 'content-type': docsLibrary[name] }),
    )
  }
}

// the keys of an object literal are its key type; Object.keys only says string
const libraryNames = Object.keys(docsLibrary) as (keyof typeof docsLibrary)[]

function answer(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Response {
  return new Response(body, { headers: { 'cache-control': 'public, max-age=300', ...headers } })
}

function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined
  return () => (made ??= { it: make() }).it
}
