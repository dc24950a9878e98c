import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOrBuild } from '@svc/web/cached'
import { checkout } from '../data-folder.ts'

/** Where an API process looks for the files that it serves. */
const place = join(checkout, 'apps/web/dist')

/** The web app of these sources, built where no earlier start has, in place of one of others. Rejects when the signal says so before. */
export async function placeWebApp(signal: AbortSignal): Promise<void> {
  const found = findOrBuild('awaited')
  const folder = typeof found === 'string' ? found : await built(found, signal)
  // it names every other file by what is in it
  if (documentIn(place) === documentIn(folder)) return
  const next = mkdtempSync(join(dirname(folder), 'placing-'))
  cpSync(folder, next, { recursive: true })
  rmSync(place, { recursive: true, force: true })
  renameSync(next, place)
}

async function built(
  building: Exclude<ReturnType<typeof findOrBuild>, string>,
  signal: AbortSignal,
): Promise<string> {
  signal.addEventListener('abort', building.stop)
  return building.folder.finally(() => signal.removeEventListener('abort', building.stop))
}

function documentIn(folder: string): string | undefined {
  const path = join(folder, 'index.html')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
