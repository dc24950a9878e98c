import { rmSync } from 'node:fs'
import { ProcessIdentity, isAlive, ownIdentity } from '@svc/process/process-identity'
import { awaitProcessLock, freeProcessLock } from '@svc/process/process-lock'
import { createDurably } from '@svc/runner/files/durable-file'
import { z } from 'zod'
import { readIfThere } from './data-folder.ts'
import { Fault } from './fault.ts'

const Holder = ProcessIdentity.extend({ url: z.string() })
type Holder = z.infer<typeof Holder>

/**
 * One app per data folder. A second start learns where the first one runs; what a process that has gone left is
 * replaced. One start at a time judges that, lest the later of two removes what the faster one has just put there.
 */
export async function lockInstance(path: string, url: string): Promise<AsyncDisposable> {
  const mine: Holder = { ...ownIdentity(), url }
  const judging = `${path}.lock`
  await awaitProcessLock(judging)
  try {
    while (!createDurably(path, JSON.stringify(mine))) {
      const holder = readHolder(path)
      if (holder && isAlive(holder)) {
        throw new Fault(
          `svc runs already: ${holder.url} (process ${holder.pid}). Use it, for example npm run -s svc -- missions list, or stop it first with Ctrl-C.`,
        )
      }
      rmSync(path, { force: true })
    }
  } finally {
    freeProcessLock(judging)
  }
  return {
    async [Symbol.asyncDispose]() {
      if (readHolder(path)?.pid === mine.pid) rmSync(path, { force: true })
    },
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(readIfThere(path) ?? ''))
  } catch {
    return undefined
  }
}
