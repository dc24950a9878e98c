import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommands } from '@svc/admin/commands'
import { serveApi } from '@svc/api/testing/serve-api'
import { startDispatcher } from '@svc/dispatcher/dispatcher'
import { test as base } from '@svc/domain/testing/hooked-world'
import { secretKeys } from '@svc/domain/testing/open-process'
import { createLog } from '@svc/process/log'
import { freePort } from '@svc/testing/free-port'
import { describe, expect, onTestFinished, test as plain, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const log = createLog({ name: 'test', level: 'silent' })

interface Measured extends AsyncDisposable {
  url: string
  read: () => Promise<string>
  /** The value of the one line that begins like this. */
  value: (line: string) => Promise<number | undefined>
}

/** An API whose metrics are served. */
async function serveMeasured(databaseUrl: string): Promise<Measured> {
  const port = await freePort()
  const api = await serveApi(databaseUrl, { SVC_METRICS_PORT: String(port) })
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return {
    url: api.url,
    read,
    async value(line) {
      const found = (await read()).split('\n').filter((one) => one.startsWith(`${line} `))
      return found.length === 1 ? Number(found[0]?.slice(line.length)) : undefined
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

const test = base.extend('measured', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const measured = await serveMeasured(database.connectionString)
  onCleanup(() => measured[Symbol.asyncDispose]())
  return measured
})

describe('metrics', { tags: 'large' }, () => {
  test('count the calls of each route, and each refusal by its code', async ({
    measured,
    world,
  }) => {
    const { url, value } = measured
    const ask = (path: string, token: string) =>
      fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const { mission } = await world.missionWith(['do'])
    await ask(`/api/missions/${mission.id}`, world.alice.token)
    await ask('/api/missions/x:404', world.alice.token)
    await ask('/api/me', 'no-token')
    const calls = (route: string, status: number) =>
      value(
        `svc_http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`,
      )
    expect(await calls('/api/missions/:id', 200)).toBe(1)
    expect(await calls('/api/missions/:id', 404)).toBe(1)
    expect(await calls('/api/me', 401)).toBe(1)
    expect(await value('svc_refusals_total{code="unauthenticated"}')).toBe(1)
    expect(await value('svc_refusals_total{code="not_found"}')).toBe(1)
  })

  test('say what waits for a runner, and for how long', async ({ measured, world }) => {
    const { mission } = await world.missionWith(['wait'])
    await world.alice.launch(mission.objectives[0])
    await world.advance(90)
    expect(await measured.value('svc_runs{status="queued"}')).toBe(1)
    const waited = await measured.value('svc_oldest_queued_seconds')
    expect(waited).toBeGreaterThanOrEqual(90)
    expect(await measured.value('svc_database_up')).toBe(1)
  })

  test('say how late the dispatcher is, and what came of its attempts', async ({
    measured,
    hooked,
  }) => {
    const { domain, receiver, subscribe, moveMission } = hooked
    const attempts = (outcome: string) =>
      measured.value(`svc_webhook_attempt_seconds_count{outcome="${outcome}"}`)
    await subscribe()
    await moveMission()
    expect(await measured.value('svc_due_jobs{queue="webhook.event"}')).toBeGreaterThanOrEqual(1)
    receiver.answer(503)
    const still = { pollMs: 3_600_000, sweepMs: 3_600_000, slowSweepMs: 3_600_000 }
    await using dispatcher = startDispatcher({ domain, log, timing: still })
    await dispatcher.drain()
    expect(await attempts('http_5xx')).toBe(1)
    expect(await attempts('success')).toBeUndefined()
    expect(await measured.value('svc_due_jobs{queue="webhook.event"}')).toBe(0)
  })

  test('name nobody and nothing of a workspace', async ({ measured, world }) => {
    const { mission } = await world.missionWith(['do'])
    await fetch(`${measured.url}/api/missions/${mission.id}`)
    const text = await measured.read()
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(text).not.toContain(mission.displayId)
    expect(text).not.toContain(world.workspaceId)
  })
})

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})
const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) }),
  ),
})
const folder = join(import.meta.dirname, '..')
const file = (name: string) => readFileSync(join(folder, name), 'utf8')
const rules = Rules.parse(parse(file('infra/monitoring/alerts.yaml'))).groups.flatMap(
  (group) => group.rules,
)
const { panels } = Dashboard.parse(JSON.parse(file('infra/monitoring/dashboard.json')))

const named = (text: string) =>
  new Set(text.match(/\b(?:svc|process|nodejs)_\w+/g)?.map((one) => one.replace(seriesOf, '')))
/** What a histogram has besides its name. */
const seriesOf = /_(?:count|sum|bucket)$/

describe('the files for Prometheus and Grafana', () => {
  test('name only metrics that there are', async ({ measured }) => {
    const there = new Set(
      [...(await measured.read()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name),
    )
    const used = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].flatMap((expr) => [...named(expr)])
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((name) => !there.has(name))).toEqual([])
  })

  test('have a row of the page about them for each metric of ours', async ({ measured }) => {
    const page = file('docs/monitoring.md')
    const there = [...(await measured.read()).matchAll(/^# TYPE (svc_\w+) /gm)]
    expect(there.filter(([, name]) => !page.includes(`\`${name}\``))).toEqual([])
  })

  plain('show and watch nothing that stands twice', () => {
    const names = [...rules.map(({ alert }) => alert), ...panels.map(({ title }) => title)]
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('svc-admin status', { tags: 'large' }, () => {
  /** Its exit code, and what it printed. */
  async function statusOf(environment: NodeJS.ProcessEnv, ...words: string[]) {
    const said: string[] = []
    for (const stream of [process.stdout, process.stderr]) {
      const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
        said.push(String(text))
        return true
      })
      onTestFinished(() => spy.mockRestore())
    }
    const called = { call: () => 'svc-admin', environment: async () => environment, log }
    const code = await runCommands(called, ['status', ...words])
    return { code, said: said.join('') }
  }

  test('says what there is to do', async ({ database, world }) => {
    const { mission } = await world.missionWith(['wait'])
    await world.alice.launch(mission.objectives[0])
    const environment = { DATABASE_URL: database.connectionString, SVC_SECRET_KEYS: secretKeys }
    const { code, said } = await statusOf(environment)
    expect(code).toBe(0)
    expect(said).toMatch(/^Runs +\d+ queued/m)
    expect(said).toMatch(/^Due for the dispatcher +\d+ webhook\.event/m)
    // what else this process says meanwhile is in lines of its own
    const lines = (await statusOf(environment, '--json')).said.split('\n')
    const answered = JSON.parse(lines.find((line) => line.startsWith('{"ready"')) ?? '')
    expect(answered).toMatchObject({ ready: true, failed: [], work: { runs: expect.any(Array) } })
  })

  test('says which check would fail, and ends with 1', async ({ database }) => {
    const other = `test:${Buffer.alloc(32, 9).toString('base64')}`
    const environment = { DATABASE_URL: database.connectionString, SVC_SECRET_KEYS: other }
    const { code, said } = await statusOf(environment)
    expect(code).toBe(1)
    expect(said).toContain('by: keys')
  })

  test('says that the database does not answer', async () => {
    const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    const { code, said } = await statusOf({ DATABASE_URL: url, SVC_SECRET_KEYS: secretKeys })
    expect(code).toBe(1)
    expect(said).toContain('The database does not answer')
  })
})
