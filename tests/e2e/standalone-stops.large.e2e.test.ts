import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chooseLocation } from '@svc/embedded-postgres/launch-identity'
import { listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { describe, expect, test } from 'vitest'
import { type App, createApp } from './support/app.ts'
import { until } from './support/until.ts'

/** What comes within a second counts as one press. */
const anotherPressMs = 1_100

/** An agent that only SIGKILL ends, with a process outside its group, and a runner that would wait for it long. */
function withStubbornAgent(app: App): void {
  app.env['SVC_SCRIPTED'] = 'ignore-signals,fork-out-of-group,hang-before-attach'
  app.env['SVC_RUNNER_LADDER_SECONDS'] = '60,60'
}

function agentOutput(app: App): string {
  if (!existsSync(app.home.runs)) return ''
  return listUnfinishedRuns(app.home)
    .map(({ folder }) => join(folder, 'output.log'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
}

function clusterOf(app: App): string {
  return join(chooseLocation(join(app.data, 'postgres')).base, 'cluster', 'data')
}

describe('the standalone app', () => {
  // `script` of Linux takes its command so; elsewhere its options differ.
  test.skipIf(process.platform !== 'linux')(
    'whose terminal is closed while an agent works stops everything in order',
    async () => {
      await using app = await createApp()
      // Only the terminal sends it the signal.
      app.env['SVC_PARENT_WATCH'] = '0'
      app.env['SVC_SCRIPTED'] = 'slow=60'
      const first = app.startInTerminal()
      await app.says(first, 'executing')
      await first.killNow()
      await until('everything has gone', () => app.processes().length === 0)
      expect(listUnfinishedRuns(app.home)).toEqual([])
      // the app itself is none of those that are looked for, and frees its folder last
      await until('its folder is free', () => !existsSync(join(app.data, 'app.json')))
    },
  )

  test('ends at once on a second Ctrl-C, and leaves nothing', async () => {
    await using app = await createApp()
    withStubbornAgent(app)
    const first = app.start()
    await until('the agent hangs', () => agentOutput(app).includes('hanging'), {
      details: first.output,
    })
    first.kill('SIGINT')
    await app.says(first, 'Stopping everything')
    await delay(anotherPressMs)
    expect(first.isOver()).toBe(false)
    first.kill('SIGINT')
    expect(await first.ended).toEqual({ code: 130, signal: null })
    await expect.poll(() => app.processes()).toEqual([])
  })

  test('hears a Ctrl-C while PostgreSQL starts, and leaves nothing', async () => {
    await using app = await createApp()
    const first = app.start('--no-demo')
    await app.says(first, 'svc runs on')
    first.kill('SIGINT')
    await first.ended
    // A standby waits for its primary before it answers anybody.
    const data = clusterOf(app)
    const settings = join(data, 'postgresql.auto.conf')
    writeFileSync(settings, 'hot_standby = off\n')
    writeFileSync(join(data, 'standby.signal'), '')
    const second = app.start('--no-demo')
    const log = () => readFileSync(join(data, '..', '..', 'postgres.log'), 'utf8')
    await until('PostgreSQL waits', () => log().includes('entering standby mode'))
    second.kill('SIGINT')
    expect(await second.ended).toEqual({ code: 130, signal: null })
    await expect.poll(() => app.processes()).toEqual([])

    writeFileSync(settings, '')
    rmSync(join(data, 'standby.signal'))
    const third = app.start('--no-demo')
    await app.says(third, 'svc runs on')
    third.kill('SIGINT')
    expect(await third.ended).toEqual({ code: 0, signal: null })
  })
})
