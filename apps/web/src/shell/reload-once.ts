const mark = 'svc:reloaded-for'

/**
 * A page of an older version misses a file that the service has no longer: it is loaded anew, once for each file, so that
 * a file which is gone for good reloads nothing again and again. Drafts outlive it.
 */
export function reloadOnceFor(file: string): boolean {
  if (sessionStorage.getItem(mark) === file) return false
  sessionStorage.setItem(mark, file)
  location.reload()
  return true
}

export function reloadWhenFilesAreGone(signal: AbortSignal): void {
  const hear = (event: WindowEventMap['vite:preloadError']) => {
    if (reloadOnceFor(event.payload.message)) event.preventDefault()
  }
  window.addEventListener('vite:preloadError', hear, { signal })
}
