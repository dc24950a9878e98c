import { html } from 'hono/html'
import { type Html, type Page, renderPage } from './page.ts'

export interface WayOn extends Pick<Page, 'title' | 'person' | 'headers'> {
  /** Where it goes, which the page alone knows: it may hold a secret. */
  address: string
  /** Says what is happening. */
  told: Html
  /** For whoever the browser does not bring there by itself. */
  link: string
  /** What is left to say once one is there. */
  after?: Html
}

/**
 * Leads from a form to somewhere else. A redirect would not do: Chromium holds the form's `form-action` against each
 * address that follows, and where the other side redirects to is its own affair. What this page does is no form's.
 */
export function leadAway({
  told,
  link,
  after,
  address,
  headers,
  ...page
}: WayOn): Promise<Response> {
  return renderPage({
    ...page,
    refreshTo: address,
    headers: { 'referrer-policy': 'no-referrer', ...headers },
    body: html`<p role="status">${told}</p>
      <p>Does nothing happen? <a href="${address}">${link}</a></p>
      ${after ?? ''}`,
  })
}
