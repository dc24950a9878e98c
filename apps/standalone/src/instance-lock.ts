import { rmSync } from 'node:fs'
import { ProcessIdentity, isAlive, ownIdentity } from '@svc/process/process-identity'
import { awaitProcessLock, freeProcessLock } from '@svc/process/process-lock'
import { createDurably } from '@svc/runner/files/durable-file'
import { z } from 'zod'
import { readIfThere, writePrivate } from './data-folder.ts'
import { Fault } from './fault.ts'

/** Where an app that is up is reached, and its database; null where that is not the embedded one. */
const Serving = z.object({ baseUrl: z.string(), databaseUrl: z.string().nullable() })
type Serving = z.infer<typeof Serving>

const Holder = ProcessIdentity.extend({ url: z.string(), serving: Serving.optional() })
type Holder = z.infer<typeof Holder>

export interface InstanceLock extends AsyncDisposable {
  /** For commands that work beside this app. */
  announce: (serving: Serving) => void
}

/**
 * One app per data folder. A second start learns where the first one runs; what a process that has gone left is
 * replaced. One start at a time judges that, lest the later of two removes what the faster one has just put there.
 */
export async function lockInstance(path: string, url: string): Promise<InstanceLock> {
  const mine: Holder = { ...ownIdentity(), url }
  const judging = `${path}.lock`
  await awaitProcessLock(judging)
  try {
    while (!createDurably(path, JSON.stringify(mine))) {
      const holder = findInstance(path)
      if (holder) {
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
    announce(serving) {
      writePrivate(path, JSON.stringify({ ...mine, serving }))
    },
    async [Symbol.asyncDispose]() {
      if (readHolder(path)?.pid === mine.pid) rmSync(path, { force: true })
    },
  }
}

/** The app that runs on this data folder. */
export function findInstance(path: string): Holder | undefined {
  const holder = readHolder(path)
  return holder && isAlive(holder) ? holder : undefined
}

function readHolder(path: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(readIfThere(path) ?? ''))
  } catch {
    return undefined
  }
}
