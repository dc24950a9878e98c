import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from './support/app.ts'
import type { Started } from './support/processes.ts'
import { expectDone } from './support/ended.ts'

const wholeTimeline = [
  'queued',
  'claimed',
  'launching',
  'launched',
  'executing',
  'update',
  'delivered',
  'review',
]

export function endsInReviewTwice(title: string): void {
  test(title, async () => {
    await using app = await createApp()
    app.env['SVC_LOG_LEVEL'] = 'debug'
    const first = app.start('--once')
    await expectDone(first)
    await expect.poll(() => app.processes()).toEqual([])
    expect(timelineOf(first).filter((word) => word !== 'webhook')).toEqual(wholeTimeline)
    expect(webhooksOf(first)).toEqual([
      'mission.delivered',
      'mission.status_changed',
      'objective.completed',
      'svc:awaiting_approval',
    ])
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: join(app.data, 'demo-repository'), encoding: 'utf8' }).trim()
    expect(git('log', '--format=%s', 'main..greet-the-world-1')).toContain('Write a greeting')
    // a line for each call, which the default level has not
    expect(readFileSync(join(app.data, 'svc.log'), 'utf8')).toContain('"level":20,')
    expect(statSync(join(app.data, 'owner.json')).mode & 0o777).toBe(0o600)

    const second = app.start('--once')
    await expectDone(second)
    expect(second.output()).toContain('was delivered before')
    await expect.poll(() => app.processes()).toEqual([])
  })
}

function timelineOf(started: Started): string[] {
  return [...started.stdout().matchAll(/^ {2}\d\d:\d\d:\d\d {2}(\S+)/gm)].map(
    ([, word = '']) => word,
  )
}

/** The events that its consumer verified, in no order that anybody promises. */
function webhooksOf(started: Started): string[] {
  const lines = started.stdout().matchAll(/ webhook +(\S+), signature verified/g)
  return [...new Set([...lines].map(([, type = '']) => type))].toSorted((one, other) =>
    one.localeCompare(other),
  )
}
