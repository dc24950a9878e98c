import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { thisRunner } from '../testing/assignment.ts'
import { openRunnerWorld, type RunnerWorld } from '../testing/runner-world.ts'
import { gitIn } from '../testing/temporary.ts'

const seconds = 120_000
const branch = 'add-a-greeting-7'

/** Each run commits a file of its own, and whether Git could is how its agent ends. */
const commits = `
echo work > "$SVC_EXECUTION_REQUEST_ID.txt"
git add . && git commit --quiet --all -m "$SVC_EXECUTION_REQUEST_ID"`

/** The first Git that commits stops in its hook, while it holds the lock of the index. */
function stopInCommit({ checkout }: RunnerWorld): void {
  const reached = join(checkout, '.git', 'reached')
  const script = `test -e '${reached}' || { touch '${reached}'; sleep 300; }`
  const hook = join(checkout, '.git', 'hooks', 'pre-commit')
  writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

const gitFolder = ({ checkout }: RunnerWorld) => join(checkout, '.git', 'worktrees', branch)

function locksOf(world: RunnerWorld): string[] {
  return readdirSync(gitFolder(world)).filter((name) => name.endsWith('.lock'))
}

function kill(folder: string, step: 'supervisor' | 'spawned', as: 'group' | 'process'): void {
  const pid = findStep(readJournal(folder), step)?.pid ?? 0
  process.kill(as === 'group' ? -pid : pid, 'SIGKILL')
}

/** A run whose supervisor and whose agent, with the Git of it, are killed while it commits. */
async function killWhileCommitting(world: RunnerWorld) {
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

function queueNext(world: RunnerWorld, { mission, project }: ReturnType<RunnerWorld['queue']>) {
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
async function expectGivenBack(world: RunnerWorld, lock: string, free: () => unknown) {
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
  await expect.poll(changed, { timeout: 30_000 }).toEqual(['web'])
}

describe('a Git that was killed with its run while it committed', { timeout: seconds }, () => {
  test('leaves a lock that keeps the next run from nothing', async () => {
    await using world = await openRunnerWorld(commits)
    const { next } = await killWhileCommitting(world)
    const shared = ['packed-refs.lock', 'index.lock', 'refs/heads/main.lock']
    const others = shared.map((name) => join(world.checkout, '.git', name))
    for (const path of others) writeFileSync(path, '')
    const { executionRequest } = next()
    const { body } = await world.service.called('reportExited', 2)
    expect(body).toMatchObject({ exitCode: 0, cause: 'agent' })
    expect(world.service.calls('reportReleased')).toEqual([])
    expect(gitIn(world.checkout, 'log', '-1', '--format=%s', branch)).toBe(executionRequest.id)
    expect(locksOf(world)).toEqual([])
    expect(others.filter((path) => !existsSync(path))).toEqual([])
  })

  test('leaves a lock in which a process of that run lives, and the next is given back', async () => {
    await using world = await openRunnerWorld(commits)
    const { run, next } = await killWhileCommitting(world)
    const { id, generation } = run.executionRequest
    const marks = { SVC_EXECUTION_REQUEST_ID: id, SVC_EXECUTION_GENERATION: String(generation) }
    const living = spawn('sleep', ['300'], { env: { ...process.env, ...marks }, stdio: 'ignore' })
    const gone = once(living, 'exit')
    try {
      next()
      await expectGivenBack(world, 'index.lock', () => living.kill('SIGKILL'))
    } finally {
      living.kill('SIGKILL')
      await gone
    }
  })

  test('is no reason to remove a lock that came after it', async () => {
    await using world = await openRunnerWorld(commits)
    const { next } = await killWhileCommitting(world)
    const lock = join(gitFolder(world), 'HEAD.lock')
    writeFileSync(lock, '')
    next()
    await expectGivenBack(world, 'HEAD.lock', () => rmSync(lock))
  })
})

test(
  'a Git of the runner itself that was killed in a worktree keeps the next run from nothing',
  { timeout: seconds },
  async () => {
    await using world = await openRunnerWorld(
      'git rev-parse --quiet --verify elsewhere && exit; git switch --quiet --create elsewhere && git rm --quiet slow.txt && git commit --quiet -m Gone',
    )
    const { checkout, service } = world
    const armed = join(checkout, '.git', 'armed')
    const reached = join(checkout, '.git', 'reached')
    writeFileSync(join(checkout, '.gitattributes'), 'slow.txt filter=slow\n')
    writeFileSync(join(checkout, 'slow.txt'), 'slow\n')
    gitIn(checkout, 'add', '.')
    gitIn(checkout, 'commit', '--quiet', '-m', 'Slow')
    const stop = `if rm '${armed}' 2> /dev/null; then touch '${reached}'; sleep 300; fi; cat`
    gitIn(checkout, 'config', 'filter.slow.smudge', stop)
    const run = world.queue()
    await world.start()
    await service.called('reportExited')
    writeFileSync(armed, '')

    const { executionRequest } = queueNext(world, run)
    await expect.poll(() => existsSync(reached), { timeout: 30_000 }).toBe(true)
    expect(locksOf(world)).toContain('index.lock')
    kill(join(world.home.runs, `${executionRequest.id}.1`), 'supervisor', 'group')
    expect((await service.called('reportReleased')).body).toMatchObject({
      reason: 'supervisor_lost',
    })

    queueNext(world, run)
    expect((await service.called('reportExited', 2)).body).toMatchObject({ exitCode: 0 })
    expect(service.calls('reportReleased')).toHaveLength(1)
    expect(locksOf(world)).toEqual([])
  },
)
