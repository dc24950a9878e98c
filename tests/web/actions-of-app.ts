import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { restContracts } from '@svc/contracts/rest'

const src = fileURLToPath(new URL('../../apps/web/src', import.meta.url))
const contracts: Readonly<Record<string, { method: string; path: string }>> = restContracts

/** How a source names the operation that it calls: by a hook, by the client, as a prop, or as a row of a table of steps. */
const namings = [
  /useAction\(\s*'(\w+)'/g,
  /\.call\(\s*'(\w+)'/g,
  /\boperation="(\w+)"/g,
  /^ {2}(\w+): '(?:goes on|is )/gm,
]

/** Whatever the app changes anything by, with the folder that it is done in: `features/board moveMission`. */
export function actionsOfApp(): string[] {
  const found = sources().flatMap(({ folder, text }) =>
    namings
      .flatMap((naming) => [...text.matchAll(naming)].map(([, operation = '']) => operation))
      .filter((operation) => changes(operation))
      .map((operation) => `${folder} ${operation}`),
  )
  return [...new Set(found)].toSorted()
}

/** Files that call something by a name that they were given, or as `namings` does not see. */
export function callersByGivenName(): string[] {
  return sources()
    .filter(({ text }) => /\b(?:useAction|(?:service|client)\.call)(?:<|\((?!\s*'))/.test(text))
    .map(({ file }) => file)
}

/** The operation that a request of a page is. */
export function operationOf(method: string, url: string): string | undefined {
  const { pathname } = new URL(url)
  return Object.keys(contracts).find((name) => {
    const contract = contracts[name]
    if (contract?.method !== method) return false
    return new RegExp(`^${contract.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname)
  })
}

function changes(operation: string): boolean {
  const contract = contracts[operation]
  return contract !== undefined && contract.method !== 'GET'
}

/** Each source of the app, without what tests it. */
export function sources() {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => ({
      file,
      // the shell is one folder, and of features and parts each has its own
      folder: file.startsWith('shell') ? 'shell' : file.split('/').slice(0, 2).join('/'),
      text: readFileSync(join(src, file), 'utf8'),
    }))
}
