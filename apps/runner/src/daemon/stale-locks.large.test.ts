import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  commits,
  locksOf,
  kill,
  killWhileCommitting,
  queueNext,
  expectGivenBack,
} from '../testing/stale-locks.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { gitIn } from '@svc/testing/temporary'

describe('a Git that was killed with its run while it committed', () => {
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
})

test('a Git of the runner itself that was killed in a worktree keeps the next run from nothing', async () => {
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
  await expect.poll(() => existsSync(reached)).toBe(true)
  expect(locksOf(world)).toContain('index.lock')
  kill(join(world.home.runs, `${executionRequest.id}.1`), 'supervisor', 'group')
  expect((await service.called('reportReleased')).body).toMatchObject({
    reason: 'supervisor_lost',
  })

  queueNext(world, run)
  expect((await service.called('reportExited', 2)).body).toMatchObject({ exitCode: 0 })
  expect(service.calls('reportReleased')).toHaveLength(1)
  expect(locksOf(world)).toEqual([])
})
