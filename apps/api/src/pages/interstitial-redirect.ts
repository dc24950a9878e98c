import { html } from 'hono/html'
import { type Html, type Page, renderPage } from './page.ts'

export interface InterstitialRedirect extends Pick<Page, 'title' | 'person' | 'headers'> {
  /** Where the browser goes on to. Only the page has this address: it may hold a secret. */
  address: string
  /** Says what is happening. */
  message: Html
  /** The text of the link for a browser that does not go there by itself. */
  link: string
  /** What else the page says below the link. */
  after?: Html
}

/**
 * A page that redirects by itself, from a form to another origin. An HTTP redirect would not do: Chromium checks the
 * `form-action` of the form's page against each address that follows, and the other side may redirect wherever it likes.
 * What this page opens is not the target of a form.
 */
export function renderInterstitialRedirect({
  message,
  link,
  after,
  address,
  headers,
  ...page
}: InterstitialRedirect): Promise<Response> {
  return renderPage({
    ...page,
    refreshTo: address,
    headers: { 'referrer-policy': 'no-referrer', ...headers },
    body: html`<p role="status">${message}</p>
      <p>Does nothing happen? <a href="${address}">${link}</a></p>
      ${after ?? ''}`,
  })
}
