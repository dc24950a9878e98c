import { setTimeout as delay } from 'node:timers/promises'
import { UnreachableError } from '@svc/client/errors'
import { type Disk, canMakeDisk, makeDisk } from '@svc/embedded-postgres/testing/disk'
import { describe, expect, test } from 'vitest'
import { type App, createApp } from './support/app.ts'
import { until } from './support/until.ts'

// On a busy machine the kernel takes its time for a disk that has no room: nothing answers then, and the test is begun
// anew.
describe.runIf(canMakeDisk)('the standalone app on a full disk', { retry: 4 }, () => {
  test('says so where it runs, to who calls, and at its next start; with room it goes on', async () => {
    await using app = await createApp()
    using disk = makeDisk(app.data, 300)
    const first = app.start('--no-demo')
    await app.says(first, 'svc runs on')
    disk.fill()
    await app.says(first, /svc: The disk that holds .+ is full: free some space/)
    expect(await refusal(app, first, disk)).toMatch(/is full: free some space/)
    first.kill('SIGTERM')
    await first.ended

    disk.fill()
    const second = app.start('--no-demo')
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toMatch(
      /^svc: The disk .*is full: free some space and start again.*\n$/,
    )

    disk.empty()
    const third = app.start('--no-demo')
    await app.says(third, 'svc runs on')
    third.kill('SIGTERM')
    expect(await third.ended).toEqual({ code: 0, signal: null })
  })
})

/**
 * Calls until the service has no room to store what is sent, and returns its answer. A database that lacks room for its
 * own log ends; where it cannot start again, the app has said so and ends too.
 */
async function refusal(app: App, running: ReturnType<App['start']>, disk: Disk): Promise<string> {
  let hasEnded = false
  void running.ended.then(() => (hasEnded = true))
  const create = (slug: string) => app.client().call('createProject', { name: 'Next', slug })
  const said = (error: unknown) => (error instanceof UnreachableError ? '' : String(error))
  let count = 0
  const next = async () => {
    // the database gives some room back now and then, by doing away with old parts of its log; a call that it took
    // with it as it ended may be answered late
    disk.fill()
    const calls = Array.from({ length: 8 }, () =>
      create(`next-${(count += 1)}`).then(() => '', said),
    )
    const answers = await Promise.race([Promise.all(calls), delay(5_000, [], { ref: false })])
    return answers.find((answer) => answer !== '')
  }
  const look = () => (hasEnded ? Promise.resolve(running.output()) : next())
  return until('a call is refused', look)
}
