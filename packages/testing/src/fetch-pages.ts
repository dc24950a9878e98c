/** A person at a browser that keeps one cookie, and sends the forms of the pages that it is shown. */
export interface Browsing {
  get: (path: string) => Promise<Response>
  /** Sends fields of one's own beside the form token that the page shows for that path. */
  submit: (
    page: string,
    action: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Response>
}

/** `headers`: what `signedIn` gives. */
export function browse(baseUrl: string, headers: Record<string, string>): Browsing {
  const get = (path: string) =>
    fetch(new URL(path, baseUrl), {
      headers: { cookie: headers['cookie'] ?? '' },
      redirect: 'manual',
    })
  return {
    get,
    async submit(page, action, fields, more = {}) {
      const shown = await (await get(page)).text()
      return fetch(new URL(action, baseUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, ...more },
        body: new URLSearchParams({ form_token: formTokenFor(shown, action), ...fields }),
      })
    },
  }
}

/** The one of the first form that goes there. */
function formTokenFor(page: string, action: string): string {
  const [, form = ''] = page.split(`action="${action}"`)
  return /name="form_token"\s+value="([^"]+)"/.exec(form)?.[1] ?? ''
}
