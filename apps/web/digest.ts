import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** All that the built files depend on. */
const builtFrom = [
  'apps/web/{*,src/**/*,plugins/*}.{ts,tsx,css,html,json}',
  'packages/{client,contracts,style}/{package.json,src/**/*}',
  'pnpm-lock.yaml',
]

/** The same for the same sources: what was built under this name need not be built again. */
export function digestOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(builtFrom, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of files.toSorted()) {
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 20)
}
