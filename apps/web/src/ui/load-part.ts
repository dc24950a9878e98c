const mark = 'svc:reloaded-for'
const lookMs = 2_000

/**
 * A part of the app that comes in a file of its own. Where the service is not reached, what stands in its place stays until
 * there is one. A page of an older version misses a file that the service has no longer: it is loaded anew, once for each
 * file, so that one which is gone for good reloads nothing again and again. Drafts outlive it.
 */
export async function loadPart<M>(load: () => Promise<M>): Promise<M> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      const what = String(error)
      const wasReached = await isReached()
      while (!(await isReached())) await nextLook()
      // styles that were missed are not asked for again by the same page
      if (!wasReached && !what.includes('CSS')) continue
      if (!reloadOnceFor(what)) throw error
      await new Promise<never>(() => undefined)
    }
  }
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
