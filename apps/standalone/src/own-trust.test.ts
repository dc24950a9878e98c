import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Actor } from '@svc/domain/common/actor'
import { createLog } from '@svc/process/log'
import { homeAt } from '@svc/runner/files/home'
import { findTrusted } from '@svc/runner/files/trust-file'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { heedOwner } from './own-trust.ts'

const service = 'http://127.0.0.1:4600'
const project = { id: randomUUID(), slug: 'web' }
const owner: Actor = {
  workspaceId: randomUUID(),
  userId: randomUUID(),
  userName: 'Owner',
  role: 'owner',
  permissions: new Set(),
  credential: {
    kind: 'sign_in',
    run: null,
    id: randomUUID(),
    prefix: null,
    preset: null,
    scope: 'full',
    audiences: ['api'],
    projectIds: null,
    objective: null,
    expiresAt: new Date(),
  },
}

let folder: string
let logged: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-own-trust-'))
  logged = ''
})
afterEach(() => rmSync(folder, { recursive: true }))

function settings(...preLaunchCommands: string[]) {
  const none = { preCommand: null, launchEnvVars: {}, agents: {}, pushBranches: false }
  return { ...none, preLaunchCommands, allowedCommands: [], checks: {}, revision: 1 }
}

function heed(before: string[], after: string[], actor = owner): string[] | undefined {
  const to = new Writable({
    write(chunk, _, done) {
      logged += String(chunk)
      done()
    },
  })
  const runner = { home: homeAt(folder), service, ownerId: owner.userId }
  const heedChange = heedOwner(createLog({ name: 'test', to }), { runner })
  heedChange({ actor, project, before: settings(...before), after: settings(...after) })
  if (logged !== '') return undefined
  return findTrusted(runner.home, { service, projectId: project.id })?.settings?.preLaunchCommands
}

test('what the owner sets is trusted, and so is what they change of it or take away', () => {
  expect(heed([], [])).toBeUndefined()
  expect(heed([], ['a'])).toEqual(['a'])
  expect(heed(['a'], ['a', 'b'])).toEqual(['a', 'b'])
  expect(heed(['a', 'b'], [])).toEqual([])
  expect(heed([], ['c'])).toEqual(['c'])
})

test('a change that died before it was committed is trusted when it is sent again', () => {
  heed([], ['a'])
  expect(heed(['a'], ['b'])).toEqual(['b'])
  expect(heed(['a'], ['b'])).toEqual(['b'])
})

test('what others have set is not trusted, whoever changes it', () => {
  const { credential } = owner
  const others: Actor[] = [
    { ...owner, userId: randomUUID() },
    { ...owner, credential: { ...credential, kind: 'token', scope: 'scoped' } },
    { ...owner, credential: { ...credential, kind: 'token', projectIds: [project.id] } },
  ]
  for (const other of others) expect(heed([], ['b'], other)).toBeUndefined()
  expect(heed(['b'], ['b', 'a'])).toBeUndefined()
})

test('a file that cannot be read is logged, and keeps nothing from being set', () => {
  writeFileSync(join(folder, 'trust.json'), '[{}]')
  heed([], ['a'])
  expect(logged).toContain('could not be trusted')
})
