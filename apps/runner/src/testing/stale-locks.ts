import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { thisRunner } from './assignment.ts'
import type { RunnerWorld } from './runner-world.ts'
import { gitIn } from '@svc/testing/temporary'

export const branch = 'add-a-greeting-7'

/** Each run commits a file of its own, and whether Git could is how its agent ends. */
export const commits = `
echo work > "$SVC_EXECUTION_REQUEST_ID.txt"
git add . && git commit --quiet --all -m "$SVC_EXECUTION_REQUEST_ID"`

/** The first Git that commits stops in its hook, while it holds the lock of the index. */
function stopInCommit({ checkout }: RunnerWorld): void {
  const reached = join(checkout, '.git', 'reached')
  const script = `test -e '${reached}' || { touch '${reached}'; sleep 300; }`
  const hook = join(checkout, '.git', 'hooks', 'pre-commit')
  writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

export const gitFolder = ({ checkout }: RunnerWorld) => join(checkout, '.git', 'worktrees', branch)

export function locksOf(world: RunnerWorld): string[] {
  return readdirSync(gitFolder(world)).filter((name) => name.endsWith('.lock'))
}

export function kill(
  folder: string,
  step: 'supervisor' | 'spawned',
  as: 'group' | 'process',
): void {
  const pid = findStep(readJournal(folder), step)?.pid ?? 0
  process.kill(as === 'group' ? -pid : pid, 'SIGKILL')
}

/** A run whose supervisor and whose agent, with the Git of it, are killed while it commits. */
export async function killWhileCommitting(world: RunnerWorld) {
  stopInCommit(world)
  const run = world.queue()
  await world.start()
  const folder = await world.reached('spawned')
  await expect.poll(() => existsSync(join(world.checkout, '.git', 'reached'))).toBe(true)
  expect(locksOf(world)).toContain('index.lock')
  kill(folder, 'supervisor', 'process')
  kill(folder, 'spawned', 'group')
  await world.service.called('reportExited')
  await world.reached('cleaned')
  return { run, next: () => queueNext(world, run) }
}

export function queueNext(
  world: RunnerWorld,
  { mission, project }: ReturnType<RunnerWorld['queue']>,
) {
  return world.queue({
    missionId: mission.id,
    projectId: project.id,
    activeBranch: branch,
    branches: { mission: recordedIn(world) },
  })
}

function recordedIn({ checkout }: RunnerWorld) {
  const startSha = gitIn(checkout, 'rev-parse', 'main')
  const lastSha = gitIn(checkout, 'rev-parse', branch)
  return { branch, startSha, lastSha, runnerId: thisRunner, runnerLabel: 'laptop' }
}

/** That the run was given back for that lock, and that the daemon asks for it again once `free` was done. */
export async function expectGivenBack(world: RunnerWorld, lock: string, free: () => unknown) {
  const { service } = world
  const { body } = await service.called('reportReleased')
  expect(body).toMatchObject({ reason: 'checkout_busy' })
  expect(body['detail']).toMatch(
    new RegExp(`remove resource web on .+/worktrees/${branch}/${lock}`),
  )
  expect(service.calls('reportExited')).toHaveLength(1)
  expect(locksOf(world)).toContain(lock)
  await free()
  const changed = () =>
    service.calls('claimExecutionRequest').flatMap(({ body: claim }) => claim['changed'] ?? [])
  await expect.poll(changed).toEqual(['web'])
}
