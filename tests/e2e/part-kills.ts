import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { migrate } from '@svc/admin/migrate'
import { createClient } from '@svc/client/client'
import type { Domain } from '@svc/domain/domain'
import { enrol } from '@svc/domain/testing/enrol'
import type { Parts, RunningPart } from '@svc/standalone/parts/open-parts'
import { test as base } from '@svc/testing/database'
import { highLimits } from '@svc/testing/high-limits'
import { expect } from 'vitest'
import { openDomainOf } from './support/open-domain.ts'
import { isMade, missionOrders, titlesIn } from './support/mission-posts.ts'
import { startClients } from './support/part-clients.ts'
import { openPartsOn } from './support/parts.ts'
import { until } from './support/until.ts'

interface InParts extends Parts {
  domain: Domain
  token: string
}

const test = base.extend('parts', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const secretKeys = `e2e:${randomBytes(32).toString('base64')}`
  const databaseUrl = database.connectionString
  await migrate({ databaseUrl, secretKeys })
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const domain = opened.use(await openDomainOf(databaseUrl, secretKeys))
  const { token } = await enrol(domain, { workspace: 'here', name: 'person' })
  const parts = opened.use(await openPartsOn(databaseUrl, secretKeys, highLimits))
  return { ...parts, domain, token } satisfies InParts
})

export interface PartKill {
  kind: keyof typeof missionOrders
  signal: 'SIGKILL' | 'SIGTERM'
}

const clients = 6

export function losesNothing(rows: readonly PartKill[]): void {
  test.for(rows)(
    '$signal to one of two of $kind loses no call but what it was at, and it comes back',
    async ({ kind, signal }, { parts }) => {
      const { baseUrl, token, domain } = parts
      const client = createClient({ baseUrl, token })
      const { project } = await client.call('createProject', { name: `Kills ${randomUUID()}` })
      const answering = parts.all.filter((one) => one.kind === kind)
      expect(answering).toHaveLength(2)
      const posting = startClients(clients, { baseUrl, token }, (title) =>
        missionOrders[kind](project.id, title),
      )
      const posted = (count: number, what: string) => {
        const from = posting.calls.length
        return until(what, () => posting.calls.length >= from + count)
      }
      await posted(5 * clients, 'each client has posted')

      const [victim] = answering as [RunningPart]
      const pid = victim.pid ?? 0
      process.kill(pid, signal)
      // not only a zombie, whose other threads may hold its port still
      await until('it is gone whole', () => !existsSync(`/proc/${pid}`))
      posting.countAsNew()
      await posted(5 * clients, 'each client has posted to the other one')
      await until('it is another process, and ready', async () => {
        if (victim.pid === pid) return false
        const asked = fetch(`http://127.0.0.1:${victim.port}/readyz`)
        return asked.then(
          ({ ok }) => ok,
          () => false,
        )
      })
      await posted(5 * clients, 'each client has posted again')
      await posting.stop()

      const others = posting.calls.filter((call) => !isMade(call))
      // what is stopped ends all that it has begun; what is killed leaves that, and no other
      expect(others.filter(({ isNew }) => isNew || signal === 'SIGTERM')).toEqual([])
      const made = new Set(await titlesIn(domain, project.id))
      const answered = posting.calls.filter(isMade)
      expect(answered.filter(({ title }) => !made.has(title))).toEqual([])
    },
  )
}
