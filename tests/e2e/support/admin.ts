import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App } from './app.ts'
import { type Started, startNode } from './processes.ts'

const main = fileURLToPath(import.meta.resolve('@svc/standalone/admin'))

export const ownersLink = ['reset-link', '--email', 'owner@localhost']

/** What `npm run admin` starts for the service of `npm start`. */
export function admin(app: App, ...args: string[]): Started {
  return startNode(main, args, {
    cwd: join(app.data, '..'),
    env: { SVC_DATA_DIR: app.data, SVC_PORT: String(app.port) },
  })
}
