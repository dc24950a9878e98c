type Submit = (
  action: string,
  fields: Record<string, string>,
  headers?: Record<string, string>,
) => Promise<Response>

/** A person at a browser that keeps one cookie, and sends the forms of the pages that it is shown. */
export interface Browsing {
  get: (path: string) => Promise<Response>
  /** A page as it is now, whose forms can be sent later. */
  open: (path: string) => Promise<{ text: string; submit: Submit }>
  /** Sends fields of one's own with the form token that the page shows for that path. */
  submit: (page: string, ...form: Parameters<Submit>) => Promise<Response>
}

/** `headers`: what `signedIn` gives. */
export function browse(baseUrl: string, headers: Record<string, string>): Browsing {
  const { cookie = '' } = headers
  const get = (path: string) =>
    fetch(new URL(path, baseUrl), { headers: { cookie }, redirect: 'manual' })
  const open: Browsing['open'] = async (path) => {
    const text = await (await get(path)).text()
    const submit: Submit = (action, fields, more = {}) =>
      fetch(new URL(action, baseUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, ...more },
        body: new URLSearchParams({ form_token: formTokenFor(text, action), ...fields }),
      })
    return { text, submit }
  }
  return { get, open, submit: async (page, ...form) => (await open(page)).submit(...form) }
}

/** The one of the first form that goes there. */
function formTokenFor(page: string, action: string): string {
  const [, form = ''] = page.split(`action="${action}"`)
  return /name="form_token"\s+value="([^"]+)"/.exec(form)?.[1] ?? ''
}
