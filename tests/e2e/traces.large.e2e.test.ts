import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base } from '@svc/testing/database'
import { freePort } from '@svc/testing/free-port'
import { temporaryFolder } from '@svc/testing/temporary'
import { describe, expect } from 'vitest'
import { type AppName, openApp } from './support/app-process.ts'
import { type Service, besides, openService } from './support/service.ts'
import { receiveSpans } from './support/spans.ts'
import { until } from './support/until.ts'

const test = base.extend('service', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const service = await openService(database.connectionString)
  onCleanup(() => service[Symbol.asyncDispose]())
  return service
})

describe('a receiver of traces', () => {
  /** An API of its own that sends there. */
  async function openTraced(service: Service, SVC_TRACES_URL: string) {
    const api = await openApp('api', () => ({ ...besides(service), SVC_TRACES_URL }))
    await api.start()
    return api
  }

  test('that fails and then does not answer holds up no call, is sent no more than was kept, and lets the process stop', async ({
    service,
  }) => {
    await using slow = await receiveSpans()
    const refused = slow.hold()
    await using api = await openTraced(service, slow.url)
    const ask = async () => (await fetch(`${api.url}/api/nothing`)).status
    const askOften = async (times: number) => {
      for (let asked = 0; asked < times; asked += 50) {
        const statuses = await Promise.all(Array.from({ length: 50 }, ask))
        expect(new Set(statuses)).toEqual(new Set([404]))
      }
    }
    await ask()
    await refused.arrived
    // a batch and more waits
    await askOften(600)
    const unanswered = slow.hold()
    refused.release(400)
    await unanswered.arrived
    await askOften(4_000)
    unanswered.release()
    const later = 'a'.repeat(32)
    const isTraced = async () => {
      const headers = { traceparent: `00-${later}-00f067aa0ba902b7-01` }
      await fetch(`${api.url}/api/later`, { headers })
      return slow.spans.some(({ traceId }) => traceId === later)
    }
    await until('traces arrive again', isTraced)
    // what was being sent, and what may wait
    const kept = slow.spans.filter(({ traceId }) => traceId !== later).length
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(512 + 2_048)
    slow.hold()
    await ask()
    api.started().kill()
    expect(await api.started().ended).toEqual({ code: 0, signal: null })
  })

  test('that is away fails no call, and is said once', async ({ service }) => {
    const away = `http://127.0.0.1:${await freePort()}/v1/traces`
    await using api = await openTraced(service, away)
    const said = () => api.started().output().split('traces cannot be sent').length - 1
    const ask = async () => {
      expect((await fetch(`${api.url}/livez`)).status).toBe(200)
      expect((await fetch(`${api.url}/api/nothing`)).status).toBe(404)
      return said() > 0
    }
    await until('the failure is said', ask)
    expect(said()).toBe(1)
  })
})

describe('OpenTelemetry', () => {
  const hook = fileURLToPath(new URL('./support/report-loads.ts', import.meta.url))

  /** What has its exporter among all that the app has loaded once it is ready; a packed app has it in a file of its own. */
  async function loadedBy(app: AppName, env: NodeJS.ProcessEnv): Promise<string[]> {
    using folder = temporaryFolder()
    const file = join(folder.path, 'loaded')
    const reporting = { NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES: file }
    await using started = await openApp(app, (url) => ({ SVC_BASE_URL: url, ...env, ...reporting }))
    await started.start()
    const loaded = readFileSync(file, 'utf8').trim().split('\n')
    expect(loaded.join('\n')).toContain('main')
    return loaded.filter(
      (url) =>
        url.startsWith('file:') && readFileSync(new URL(url), 'utf8').includes('OTLPTraceExporter'),
    )
  }

  test.for<AppName>(['api', 'mcp-gateway', 'dispatcher'])(
    'is loaded by the %s where a receiver is named, and not otherwise',
    async (app, { service }) => {
      await using receiver = await receiveSpans()
      const env = besides(service)
      expect(await loadedBy(app, env)).toEqual([])
      expect(await loadedBy(app, { ...env, SVC_TRACES_URL: receiver.url })).not.toEqual([])
    },
  )
})
