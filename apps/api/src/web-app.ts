import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The built web app: `folder` holds its document and its files; `reason` is a sentence that says why there is none, and what to do. */
export type WebApp =
  | { state: 'built'; folder: string }
  | { state: 'building' }
  | { state: 'absent'; reason: string }

/** From here as from the folder that holds the packed app, as an image has it. */
const folder = join(import.meta.dirname, '../../web/dist')

/** Where an image has it, and where `node apps/web/build.ts` puts it. */
export function builtWebApp(): WebApp {
  return existsSync(join(folder, 'index.html'))
    ? { state: 'built', folder }
    : { state: 'absent', reason: 'It is built by node apps/web/build.ts.' }
}
