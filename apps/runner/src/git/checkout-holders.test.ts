import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { expect, test } from 'vitest'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'
import { pipeIn } from '../testing/pipe-in.ts'
import {
  addAgentToHolder,
  type CheckoutHolder,
  freeCheckout,
  holdCheckout,
  readHolders,
} from './checkout-holders.ts'
import { readWorktreeFacts, writeWorktreeFacts } from './worktree-facts.ts'

const me = readProcess(process.pid)!
const gone = { pid: 1, startedAt: 'never' }
const holder: CheckoutHolder = {
  requestId: '0198c2a4-0000-7000-8000-000000000001',
  generation: 1,
  missionId: 'm',
  objectiveId: 'o',
  createdAt: '2026-11-01T10:00:00.000Z',
  branch: 'b',
  runFolder: '/runs/r1.1',
  supervisor: me,
}

function repository() {
  const folder = temporaryFolder()
  createRepository(folder.path)
  return folder
}

test('a checkout names everybody who is in it, until each has gone', () => {
  using folder = repository()
  const second = { ...holder, requestId: '0198c2a4-0000-7000-8000-000000000002' }
  expect(readHolders(folder.path)).toEqual([])
  holdCheckout(folder.path, holder)
  holdCheckout(folder.path, second)
  expect(readHolders(folder.path)).toEqual([holder, second])
  freeCheckout(folder.path, holder)
  freeCheckout(folder.path, holder)
  expect(readHolders(folder.path)).toEqual([second])
})

test('the holders outlive a cleaning of the working tree, and each worktree has its own', () => {
  using folder = repository()
  using other = temporaryFolder()
  const worktree = join(other.path, 'w')
  gitIn(folder.path, 'worktree', 'add', '--quiet', worktree)
  holdCheckout(worktree, holder)
  gitIn(worktree, 'clean', '--quiet', '-fdx')
  expect(readHolders(worktree)).toEqual([holder])
  expect(readHolders(folder.path)).toEqual([])
})

test('a run is in its checkout as long as supervisor or agent lives', () => {
  using folder = repository()
  holdCheckout(folder.path, { ...holder, supervisor: me })
  addAgentToHolder(folder.path, { ...holder, supervisor: gone, agent: me })
  expect(readHolders(folder.path)).toHaveLength(1)
  addAgentToHolder(folder.path, { ...holder, supervisor: gone, agent: gone })
  expect(readHolders(folder.path)).toEqual([])
})

test('nobody waits for a pipe in place of .git', () => {
  using folder = repository()
  using other = temporaryFolder()
  const worktree = join(other.path, 'w')
  gitIn(folder.path, 'worktree', 'add', '--quiet', worktree)
  holdCheckout(folder.path, holder)
  using _ = pipeIn(join(worktree, '.git'), `gitdir: ${join(folder.path, '.git')}\n`)
  expect(readHolders(worktree)).toEqual([])
  freeCheckout(worktree, holder)
  expect(readHolders(folder.path)).toEqual([holder])
})

test('nobody waits for a pipe in place of what a runner knows of a worktree', () => {
  using folder = repository()
  const facts = { mission: 'web:1', startSha: 'a', baseBranch: 'main' }
  writeWorktreeFacts(folder.path, facts)
  expect(readWorktreeFacts(folder.path)).toEqual(facts)
  const path = join(folder.path, '.git', 'svc', 'worktree.json')
  using _ = pipeIn(path, JSON.stringify(facts))
  expect(readWorktreeFacts(folder.path)).toBeUndefined()
})

test('what is no holder stays, also where an agent has led the folder to another', () => {
  using folder = repository()
  using other = temporaryFolder()
  const holders = join(folder.path, '.git', 'svc', 'holders')
  const inPlace = join(holders, 'notes.json')
  const elsewhere = join(other.path, 'credentials.json')
  const left = { ...holder, requestId: '0198c2a4-0000-7000-8000-000000000002', supervisor: gone }
  holdCheckout(folder.path, left)
  for (const path of [inPlace, elsewhere]) writeFileSync(path, '{}')
  holdCheckout(folder.path, holder)
  expect(readdirSync(holders)).toEqual([`${holder.requestId}.1.json`, 'notes.json'])
  rmSync(holders, { recursive: true })
  symlinkSync(other.path, holders)
  expect(() => holdCheckout(folder.path, holder)).toThrow('is a link: remove it')
  expect(readdirSync(other.path)).toEqual(['credentials.json'])
})

test('an agent is not added to a checkout that its run has left', () => {
  using folder = repository()
  addAgentToHolder(folder.path, { ...holder, agent: me })
  expect(readHolders(folder.path)).toEqual([])
})
