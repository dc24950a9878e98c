const mark = 'svc:reloaded-for'
const lookMs = 2_000

/** Styles that did not come, by their addresses: whoever loads a part asks for each of them once only. */
const missedStyles = new Set<string>()
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
      missedStyles.add(target.href)
  },
  // a link that fails tells nobody around it
  { capture: true },
)

/**
 * A part of the app that comes in a file of its own. Where the service is not reached, what stands in its place stays until
 * there is one. A page of an older version misses a file that the service has no longer: it is loaded anew, once for each
 * file, so that one which is gone for good reloads nothing again and again. Drafts outlive it.
 */
export async function loadPart<M>(load: () => Promise<M>): Promise<M> {
  for (;;) {
    try {
      const part = await load()
      await Promise.all([...missedStyles].map(loadStyles))
      return part
    } catch (error) {
      const wasReached = await isReached()
      while (!(await isReached())) await nextLook()
      if (!wasReached) continue
      if (!reloadOnceFor(String(error))) throw error
      await new Promise<never>(() => undefined)
    }
  }
}

async function loadStyles(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  link.addEventListener('load', () => resolve())
  link.addEventListener('error', () => reject(new Error(`${href} did not come`)))
  document.head.append(link)
  await promise
  missedStyles.delete(href)
}

function reloadOnceFor(file: string): boolean {
  try {
    if (sessionStorage.getItem(mark) === file) return false
    sessionStorage.setItem(mark, file)
  } catch {
    // what cannot be remembered would be done again and again
    return false
  }
  location.reload()
  return true
}

/** The service answers at this address, whatever it says. */
async function isReached(): Promise<boolean> {
  return fetch(location.pathname, { method: 'HEAD', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  )
}

function nextLook(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, lookMs)
  window.addEventListener('online', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
