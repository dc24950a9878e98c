import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { RouteRequest } from '@svc/contracts/rest'
import { enrol } from '@svc/domain/testing/enrol'
import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { createApp } from './support/app.ts'
import { openDomainOf } from './support/open-domain.ts'
import { until } from './support/until.ts'

type Change = Omit<RouteRequest<'updateLaunchSettings'>, 'id'>

const untrusted = {
  status: 'failed',
  failure: { code: 'launch_config_untrusted', next: { operation: 'trustLaunchSettings' } },
}

test('the runner of the standalone app runs at once what its owner sets, and nothing that anybody else has set', async () => {
  await using database = await createTestDatabase()
  await using app = await createApp()
  const secretKeys = `e2e:${randomBytes(32).toString('base64')}`
  const databaseUrl = database.connectionString
  Object.assign(app.env, { DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys })
  const started = app.start('--no-demo')
  await app.says(started, 'Ctrl-C stops everything; the next')
  const owner = app.client()
  const { project } = await owner.call('createProject', { name: 'Web' })
  const said = join(app.data, 'said')
  const saying = (word: string) => ({ preLaunchCommands: [`echo "${word}" >> '${said}'`] })
  const set = (who: Client, change: Change) =>
    who.call('updateLaunchSettings', { id: project.id, ...change })
  const asClient = (token: string) => createClient({ baseUrl: app.url, token })

  await set(owner, saying('owner'))
  expect(await runOnce(owner, project)).toMatchObject({ outcome: 'delivered' })
  expect(readFileSync(said, 'utf8')).toBe('owner\n')

  const another = asClient(await tokenOfAnother(databaseUrl, secretKeys))
  await set(another, saying('another'))
  expect(await runOnce(owner, project)).toMatchObject(untrusted)
  await set(owner, { launchEnvVars: { WHO: 'nobody' } })
  expect(await runOnce(owner, project)).toMatchObject(untrusted)

  const permissions = ['project:read', 'project:configure_launch'] as const
  const order = { label: 'a program', permissions: [...permissions] }
  const { token } = await owner.call('createUserToken', order)
  await set(owner, { preLaunchCommands: [], launchEnvVars: {} })
  await set(asClient(token), saying('a program'))
  expect(await runOnce(owner, project)).toMatchObject(untrusted)

  await set(owner, { preLaunchCommands: [] })
  await set(owner, { ...saying('$WHO'), launchEnvVars: { WHO: 'owner again' } })
  expect(await runOnce(owner, project)).toMatchObject({ outcome: 'delivered' })
  await set(owner, saying('the end'))
  expect(await runOnce(owner, project)).toMatchObject({ outcome: 'delivered' })
  expect(readFileSync(said, 'utf8')).toBe('owner\nowner again\nthe end\n')
  started.kill('SIGTERM')
  await started.ended
})

/** A run of a new mission, once it is over. */
async function runOnce(client: Client, { id: projectId }: { id: string }) {
  const objectives = [{ instruction: 'Write a line.' }]
  const planned = await client.call('createMission', { projectId, title: 'Dark', objectives })
  const missionId = planned.mission.id
  await client.call('launchObjective', { id: planned.objectives[0]?.id ?? '', agent: 'scripted' })
  let run: ExecutionRequest | undefined
  const isOver = async () => {
    run = (await client.call('listExecutionRequests', { missionId })).executionRequests[0]
    return run !== undefined && run.endedAt !== null && run
  }
  return until('the run is over', isOver, { details: () => JSON.stringify(run, null, 1) })
}

/** An admin of the same workspace. */
async function tokenOfAnother(databaseUrl: string, secretKeys: string): Promise<string> {
  await using domain = await openDomainOf(databaseUrl, secretKeys)
  return (await enrol(domain, { workspace: 'local', name: 'anna' })).token
}
