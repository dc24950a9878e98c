import { html } from 'hono/html'
import { pagePaths } from './paths.ts'

/** What `html` of hono gives: text in which every value was escaped. */
export type Html = ReturnType<typeof html>

export interface Page {
  /** Says where one is; it is also the heading. */
  title: string
  body: Html
  status?: number
  headers?: Record<string, string>
  /** Where the browser goes as soon as it has shown the page. An absolute address. */
  refreshTo?: string
  /** Who is signed in. */
  person?: { userName: string } | undefined
}

/** The mark next to the name, which the stylesheet draws in the page. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="4" y="4" width="8" height="8" rx="2" fill="none" stroke="#4c85e6" stroke-width="2.5" transform="rotate(45 8 8)"/></svg>',
)}`

/** What turns the direction of the text around it, or is none: names that people chose may hold it. T-03. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** No script, nothing from elsewhere, in no frame, and in no cache. T-12 to T-14. */
export async function renderPage({
  title,
  body,
  person,
  refreshTo,
  ...page
}: Page): Promise<Response> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refreshTo === undefined ? '' : refresh(refreshTo)}
        <title>${title} · svc</title>
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="${pagePaths.stylesheet}" />
      </head>
      <body>
        <header>
          <a class="brand" href="/">svc</a>
          ${person ? html`<span class="who">${person.userName}</span>` : ''}
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
  return new Response(String(text).replaceAll(unseen, ''), {
    status: page.status ?? 200,
    headers: { ...pageHeaders, ...page.headers },
  })
}

/** The address is without quotes: as it begins with none, it goes on to the end of the attribute, whatever is in it. */
function refresh(address: string): Html {
  return html`<meta http-equiv="refresh" content="0;url=${address}" />`
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
]

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy.join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function showRefusal(refusal: string | undefined): Html {
  return refusal === undefined ? html`` : html`<p class="refusal" role="alert">${refusal}</p>`
}

/** A form was taken: 303, so that the next request is a GET and going back sends nothing again. */
export function redirectTo(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: {
      location,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      ...headers,
    },
  })
}
