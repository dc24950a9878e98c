import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@svc/client/client'
import { chooseLocation } from '@svc/embedded-postgres/launch-identity'
import { freePort } from '@svc/testing/free-port'
import { browse } from '@svc/testing/fetch-pages'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { killAll, processesWith, startNode } from './support/processes.ts'
import { until } from './support/until.ts'

const main = fileURLToPath(import.meta.resolve('@svc/standalone/parts/main'))

test('npm run parts starts what docker-compose.yml has, says where to sign in, and ends all of it', async () => {
  const folder = temporaryFolder(ofPerson)
  const data = join(folder.path, 'data')
  const port = String(await freePort())
  const env = { HOME: folder.path, SVC_DATA_DIR: data, EDGE_PORT: port }
  const processes = () => processesWith(`SVC_DATA_DIR=${data}`)
  onTestFinished(async () => {
    killAll(processes())
    await until('every process has gone', () => processes().length === 0)
    const { base } = chooseLocation(join(data, 'parts', 'postgres'))
    await rm(base, { recursive: true, force: true, maxRetries: 5 })
    folder[Symbol.dispose]()
  })
  const started = startNode(main, ['--edge', 'node'], { env, cwd: folder.path })
  const says = (text: RegExp) =>
    until(`it says ${text}`, () => text.exec(started.output()) ?? started.isOver(), {
      seconds: 120,
      details: started.output,
    })

  await says(/Ctrl-C stops everything/)
  const replicas = [
    'api-1',
    'api-2',
    'mcp-gateway-1',
    'mcp-gateway-2',
    'dispatcher-1',
    'dispatcher-2',
  ]
  for (const name of replicas) expect(started.output()).toMatch(new RegExp(`${name} on port \\d+`))
  // each, and the process that keeps them
  expect(processes().length).toBeGreaterThanOrEqual(replicas.length + 1)

  const baseUrl = `http://localhost:${port}`
  const [link = ''] = /http:\/\/localhost\S+setup\S+/.exec(started.output()) ?? []
  expect(link.startsWith(baseUrl)).toBe(true)
  const page = await browse(baseUrl, {}).get(link.slice(baseUrl.length))
  expect(await page.text()).toContain('Set up and sign in')
  // the web app is there for whoever has signed in, and others are led to do so
  expect((await fetch(baseUrl, { redirect: 'manual' })).status).toBeLessThan(400)

  const owner = JSON.parse(readFileSync(join(data, 'parts', 'owner.json'), 'utf8'))
  const client = createClient({ baseUrl, token: owner.token })
  expect(await client.call('getMe', {})).toMatchObject({ workspace: { slug: 'local' } })
  const mcp = await fetch(`${baseUrl}/mcp`, { method: 'POST' })
  expect(mcp.status).toBe(401)
  expect(mcp.headers.get('www-authenticate')).toContain('oauth-protected-resource')

  started.kill('SIGINT')
  expect(await started.ended).toEqual({ code: 0, signal: null })
  await until('every process has gone', () => processes().length === 0)
})
