import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  branch,
  commits,
  gitFolder,
  locksOf,
  killWhileCommitting,
  expectGivenBack,
} from '../testing/stale-locks.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { gitIn } from '@svc/testing/temporary'

describe('a Git that was killed with its run while it committed', () => {
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

  test('is no reason to remove a lock that came after it', async () => {
    await using world = await openRunnerWorld(commits)
    const { next } = await killWhileCommitting(world)
    const lock = join(gitFolder(world), 'HEAD.lock')
    writeFileSync(lock, '')
    next()
    await expectGivenBack(world, 'HEAD.lock', () => rmSync(lock))
  })
})
