import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteRequest } from '@svc/contracts/rest'
import { describe, expect, test } from 'vitest'
import { claudeLimits } from '../agents/limit-rows.ts'
import { endHold, findHold, holdAgent, isHolding, noteReported } from '../files/holds.ts'
import { openHome } from '../files/home.ts'
import { discoverAgents } from '../agents/discover.ts'
import { findStep, readJournal } from '../run/journal.ts'
import { findSupervisor } from '../run/supervision.ts'
import { type RunnerWorld, openRunnerWorld } from '../testing/runner-world.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import { killHard } from './kill-run.ts'
import { lookAtSignIns, offerOf } from './offer.ts'

const minute = 60_000
const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString()

/** The agent of the world with the limits of Claude Code. */
function limited(world: RunnerWorld, more: object = {}): void {
  const [row] = JSON.parse(readFileSync(world.home.agentsFile, 'utf8')) as object[]
  writeFileSync(world.home.agentsFile, JSON.stringify([{ ...row, limits: claudeLimits, ...more }]))
}

type Claim = RouteRequest<'claimExecutionRequest'>
const lastClaim = ({ service }: RunnerWorld) =>
  service.calls('claimExecutionRequest').at(-1)?.body as Claim | undefined

const resetsAt = Math.floor((Date.now() + 3 * 60 * minute) / 1000)
const quota = [
  JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } }),
  JSON.stringify({ type: 'result', is_error: true, result: "You've hit your session limit" }),
].join('\n')
const limit = { kind: 'quota', until: new Date(resetsAt * 1000).toISOString() }

describe('an agent whose provider takes no work', () => {
  test('is reported with that, and not offered until its time, or a person says that it works', async () => {
    await using world = await openRunnerWorld(`cat <<'END'\n${quota}\nEND\nexit 1`)
    limited(world)
    world.queue()
    await world.start()
    await world.service.called('reportExited')
    expect(world.service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 1, limit })

    const heldAgents = [{ key: 'shell', reason: 'quota', until: limit.until }]
    await expect
      .poll(() => lastClaim(world))
      .toMatchObject({
        agents: [],
        heldAgents,
      })
    const hold = findHold(world.home, 'shell')
    if (!hold) throw new Error('the agent is held')
    endHold(world.home, hold, { byPerson: true })
    await expect
      .poll(() => lastClaim(world))
      .toMatchObject({
        agents: [{ key: 'shell' }],
        retried: ['shell'],
      })
  })

  test('and would go on trying for minutes, is ended and held at once, also where it then exits with 0', async () => {
    const tries = [1, 2, 3].map((attempt) =>
      JSON.stringify({
        type: 'system',
        subtype: 'api_retry',
        attempt,
        error: 'authentication_failed',
      }),
    )
    await using world = await openRunnerWorld(
      `trap 'exit 0' INT TERM\ncat <<'END'\n${tries.join('\n')}\nEND\nwhile :; do sleep 1; done`,
    )
    limited(world)
    world.queue()
    await world.start({ timing: { interruptSeconds: 10, terminateSeconds: 10 } })
    await world.service.called('reportExited')
    expect(world.service.calls('reportExited')[0]?.body).toMatchObject({
      exitCode: 0,
      cause: 'agent',
      limit: { kind: 'signed_out' },
    })
    expect(findHold(world.home, 'shell')).toMatchObject({ reason: 'signed_out' })
  })

  test('is known to whoever reports the end where its supervisor was killed', async () => {
    await using world = await openRunnerWorld(`cat <<'END'\n${quota}\nEND\nsleep 600`)
    limited(world)
    world.queue()
    await world.start()
    const run = await world.reached('spawned')
    await expect.poll(() => findStep(readJournal(run), 'limited')).toMatchObject(limit)
    killHard(findSupervisor(run)?.pid ?? 0)
    await world.service.called('reportExited')
    const [exited] = world.service.calls('reportExited')
    expect(exited?.body).toMatchObject({ cause: 'supervisor_lost', limit })
    expect(findHold(world.home, 'shell')).toMatchObject({ reason: 'quota', until: limit.until })
  })
})

describe('a hold', () => {
  test('lasts until the time that is known, else for longer with each try', () => {
    using folder = temporaryFolder()
    const home = openHome(folder.path)
    let nowMs = Date.now()
    for (const minutes of [5, 10, 20, 40, 60, 60]) {
      const { until } = holdAgent(home, 'claude', { kind: 'quota' }, { nowMs })
      expect(Date.parse(until)).toBe(nowMs + minutes * minute)
      // another run meets the same limit at that time
      expect(holdAgent(home, 'claude', { kind: 'quota' }, { nowMs: nowMs + 1 }).until).toBe(until)
      nowMs = Date.parse(until)
    }
    const until = new Date(nowMs + 90 * minute).toISOString()
    expect(holdAgent(home, 'claude', { kind: 'quota', until }, { nowMs })).toMatchObject({ until })
    const farOff = new Date(nowMs + 400 * 24 * 60 * minute).toISOString()
    expect(holdAgent(home, 'codex', { kind: 'quota', until: farOff }, { nowMs }).until).toBe(
      new Date(nowMs + 5 * minute).toISOString(),
    )
  })

  test('begins anew after the word of a person, which is reported once', () => {
    using folder = temporaryFolder()
    const home = openHome(folder.path)
    holdAgent(home, 'claude', { kind: 'quota' }, { nowMs: Date.now() - 6 * minute })
    const hold = holdAgent(home, 'claude', { kind: 'quota' })
    expect(hold.tries).toBe(2)
    endHold(home, hold, { byPerson: true })
    const { ended } = offerOf(home, [])
    expect(ended).toMatchObject([{ agent: 'claude' }])
    noteReported(home, ended)
    expect(offerOf(home, []).ended).toEqual([])
    expect(holdAgent(home, 'claude', { kind: 'quota' }).tries).toBe(1)
  })

  test('for want of a login ends when the tool itself says that somebody is signed in', async () => {
    using folder = temporaryFolder()
    const home = openHome(folder.path)
    const [program, state] = [join(folder.path, 'tool'), join(folder.path, 'state')]
    writeFileSync(program, `#!/bin/sh\n[ "$1" = status ] && cat '${state}'\n`, { mode: 0o755 })
    const row = { key: 'tool', binary: program, argv: [['run']], briefing: 'first_message' }
    const signIn = { args: ['status'], nobody: ['Not logged in'] }
    writeFileSync(home.agentsFile, JSON.stringify([{ ...row, sessionId: 'none', signIn }]))
    const found = await discoverAgents({ home, env: {}, only: ['tool'] })
    const past = { nowMs: Date.now() - 10 * minute }
    holdAgent(home, 'tool', { kind: 'signed_out' }, past)
    expect(offerOf(home, found).agents).toEqual([])

    writeFileSync(state, 'Not logged in\n')
    await lookAtSignIns(home, found, process.env)
    expect(findHold(home, 'tool')).toMatchObject({ tries: 2, over: false })
    expect(Date.parse(findHold(home, 'tool')?.until ?? '')).toBeLessThan(
      Date.parse(isoIn(3 * minute)),
    )
    writeFileSync(state, 'Logged in\n')
    await lookAtSignIns(home, found, process.env)
    expect(findHold(home, 'tool')).toMatchObject({ over: false })
    rmSync(join(home.holds, 'tool.json'))
    holdAgent(home, 'tool', { kind: 'signed_out' }, past)
    await lookAtSignIns(home, found, process.env)
    expect(offerOf(home, found)).toMatchObject({ agents: found, ended: [{ agent: 'tool' }] })
  })
})

test('a hold that cannot be read holds nothing', () => {
  using folder = temporaryFolder()
  const home = openHome(folder.path)
  writeFileSync(join(home.holds, 'claude.json'), '{')
  expect(offerOf(home, [])).toEqual({ agents: [], heldAgents: [], ended: [] })
  const over = { agent: 'x', reason: 'quota', until: isoIn(minute), tries: 1 } as const
  expect(isHolding({ ...over, over: true, reported: false }, Date.now(), true)).toBe(false)
})
