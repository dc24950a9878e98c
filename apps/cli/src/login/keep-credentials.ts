import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeDurably } from '@svc/runner/files/durable-file'
import { type Credentials, readCredentials, sameOrigin } from '../credentials.ts'

type Kept = Pick<Credentials, 'baseUrl' | 'token'>

/** Keeps the credential as the one that counts where no service is named; those of other services stay. */
export function rememberCredentials(path: string, { baseUrl, token }: Kept): void {
  const known = readCredentials(path)
  const before = known.find((one) => sameOrigin(one.baseUrl, baseUrl))
  write(path, [{ ...before, baseUrl, token }, ...known.filter((one) => one !== before)])
}

export function removeCredentials(path: string, baseUrl: string): void {
  write(
    path,
    readCredentials(path).filter((one) => !sameOrigin(one.baseUrl, baseUrl)),
  )
}

function write(path: string, entries: readonly (Kept & { runnerHome?: string })[]): void {
  const [first, ...others] = entries.map(({ baseUrl, token, runnerHome }) => ({
    baseUrl,
    token,
    ...(runnerHome !== undefined && { runnerHome }),
  }))
  if (first === undefined) return rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const all = { ...first, ...(others.length > 0 && { others }) }
  writeDurably(path, `${JSON.stringify(all, null, 2)}\n`, 0o600)
}
