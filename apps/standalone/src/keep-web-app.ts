import type { WebApp } from '@svc/api/web-app'
import { type Building, findOrBuild } from '@svc/web/cached'
import type { Reporter } from './reporter.ts'

export interface KeptWebApp extends AsyncDisposable {
  current: () => WebApp
}

/** The web app of these sources: found where an earlier start has built it, else built while all else starts. */
export function keepWebApp(reporter: Reporter): KeptWebApp {
  const found = findOrBuild('aside')
  if (typeof found !== 'string') return watch(found, reporter)
  return {
    current: () => ({ state: 'built', folder: found }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

function watch(building: Building, reporter: Reporter): KeptWebApp {
  let web: WebApp = { state: 'building' }
  let isClosing = false
  const ended = building.folder.then(
    (folder) => void (web = { state: 'built', folder }),
    (error: unknown) => {
      if (isClosing) return
      const reason = 'Its build failed; the output of the start says why. Start the service again.'
      web = { state: 'absent', reason }
      reporter.notice(`The web app could not be built: ${String(error)}`)
    },
  )
  return {
    current: () => web,
    [Symbol.asyncDispose]: async () => {
      isClosing = true
      building.stop()
      await ended
    },
  }
}
