import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { describe, expect, test } from 'vitest'
import { outputLimitsOf } from '../output/capped-output.ts'
import { logBytesBefore } from '../run/order.ts'
import { readJournal } from '../run/journal.ts'
import { listRunFolders } from '../run/run-folder.ts'
import { markedProcesses } from '../processes/find-processes.ts'
import { openProtocolWorld } from '../testing/protocol-world.ts'
import { type RunnerWorld, openRunnerWorld, testToken } from '../testing/runner-world.ts'

/** Carries one run to its end, which is reported once, and leaves no process. */
async function endOf(world: RunnerWorld, closeSeconds = 0.3): Promise<Record<string, unknown>> {
  const { executionRequest } = world.queue()
  const timing = { interruptSeconds: 0.3, terminateSeconds: 0.3, closeSeconds }
  await (
    await world.start({ once: true, timing })
  ).done
  const exits = world.service.calls('reportExited').map(({ body }) => body)
  expect(exits).toHaveLength(1)
  expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
  expect(said(world).includes(testToken)).toBe(false)
  return exits[0] ?? {}
}

/** All that has left the machine. */
function said({ service }: RunnerWorld): string {
  return service.log() + JSON.stringify(service.received.map(({ body }) => body))
}

const halves = [testToken.slice(0, 20), testToken.slice(20)] as const

describe('an agent that is told everything by its arguments', () => {
  test('and floods its output is kept within bounds, and masked', async () => {
    await using world = await openRunnerWorld(
      `yes "flood ${testToken}" | head -n 300000
       awk 'BEGIN { for (i = 0; i < 90000; i++) printf "%s", "${testToken}"; print "" }'
       echo The end.`,
    )
    const exit = await endOf(world)
    expect(exit).toMatchObject({ exitCode: 0, cause: 'agent' })
    expect(exit['lastOutput']).toContain('The end.')
    const { headBytes, tailBytes } = outputLimitsOf(logBytesBefore)
    expect(world.service.log().length).toBeLessThanOrEqual(headBytes + tailBytes)
    expect(world.service.log().startsWith('flood [masked]\nflood [masked]\n')).toBe(true)
    expect(world.service.log().includes(halves[0])).toBe(false)
  })

  test('and says without an end that its provider takes no work is held by what it said', async () => {
    await using world = await openRunnerWorld('true')
    const binary = join(world.home.folder, 'tries.sh')
    const tries = `awk 'BEGIN { for (i = 0; i < 20000; i++) print "{\\"type\\":\\"no\\",\\"until\\":4" sprintf("%09d", i) "}" }'`
    writeFileSync(binary, `#!/bin/sh\n[ "$1" = --version ] && exit\n${tries}\nexit 1\n`, {
      mode: 0o755,
    })
    const event = { type: 'no' }
    const until = [{ at: { event, path: ['until'] }, form: 'epoch' }]
    const limits = [
      { kind: 'quota', at: { event, path: ['type'] }, text: 'no', until, source: 'x' },
    ]
    writeFileSync(
      world.home.agentsFile,
      JSON.stringify([{ key: 'shell', binary, argv: [], limits }]),
    )
    expect(await endOf(world)).toMatchObject({ exitCode: 1, limit: { kind: 'quota' } })
    const [folder = ''] = listRunFolders(world.home)
    const kept = readJournal(folder).filter(({ step }) => step === 'limited')
    expect(kept.length).toBeLessThan(200)
  })

  test('and leaves processes that hold its output, left its group and ignore signals takes them along', async () => {
    const deaf = `trap "" INT TERM HUP; while :; do sleep 1; done`
    await using world = await openRunnerWorld(
      `(setsid sh -c '${deaf}' &); (trap '' INT TERM HUP; nohup sleep 600 &); echo bye; exit 4`,
    )
    expect(await endOf(world)).toMatchObject({ exitCode: 4, signal: null, cause: 'agent' })
    expect(world.service.log()).toBe('bye\n')
  })

  test('and prints a secret piece by piece on both of its streams shows it on neither', async () => {
    const slowly = [...testToken.matchAll(/.{1,7}/g)].map(
      ([part]) => `printf %s '${part}'; sleep 0.1`,
    )
    await using world = await openRunnerWorld(
      `{ ${slowly.join('; ')}; echo; } & { ${slowly.join('; ')}; echo; } >&2; wait; echo 'e:${halves[0]}' >&2; printf '${halves[0]}'`,
    )
    expect(await endOf(world)).toMatchObject({ exitCode: 0 })
    expect(world.service.log().match(/\[masked\]/g)?.length).toBeGreaterThanOrEqual(2)
    expect(world.service.log().includes(halves[1])).toBe(false)
  })

  test('and writes outside of its worktree changes nothing of what is reported of it', async () => {
    using elsewhere = temporaryFolder()
    const script = `
      echo outside > '${elsewhere.path}/outside.txt'
      ln -s '${elsewhere.path}' away
      echo through > away/through.txt
      ln -s "$PWD/../../../../../runs" state
      mkdir -p .svc/tmp && echo '{' > .svc/tmp/mine.json
      echo inside > inside.txt`
    await using world = await openRunnerWorld(script)
    writeFileSync(join(world.checkout, 'mine.txt'), 'of a person')
    const before = gitIn(world.checkout, 'status', '--porcelain', '--branch')
    expect(await endOf(world)).toMatchObject({ exitCode: 0, cause: 'agent' })
    const diff = JSON.stringify(world.service.changes())
    expect(diff).toContain('inside.txt')
    expect(diff).not.toMatch(/of a person|through\\n|outside\\n|journal/)
    expect(gitIn(world.checkout, 'status', '--porcelain', '--branch')).toBe(before)
    expect(readFileSync(join(elsewhere.path, 'through.txt'), 'utf8')).toBe('through\n')
  })
})

describe('an agent that is spoken with', () => {
  test('and ignores signals, leaves processes outside of its group and does not end is killed with all of them', async () => {
    await using world = await openProtocolWorld([
      'run (setsid sh -c "trap \\"\\" INT TERM; sleep 600" > /dev/null 2>&1 &)',
      'deaf',
      'stay',
    ])
    const exit = await endOf(world)
    expect(exit).toMatchObject({ signal: 'SIGKILL', cause: 'agent' })
  })

  test('and answers what nobody asked goes on, and is believed nothing', async () => {
    const answer = (id: number, result: object) =>
      `print ${JSON.stringify({ jsonrpc: '2.0', id, result })}`
    await using world = await openProtocolWorld([
      answer(4711, { outcome: { outcome: 'selected', optionId: 'once' } }),
      answer(0, { protocolVersion: 99 }),
      answer(1, { sessionId: 'another' }),
      `print ${JSON.stringify({ jsonrpc: '2.0', id: 5, error: { code: -1, message: 'no' } })}`,
      `print ${JSON.stringify({ jsonrpc: '2.0', method: 'session/answered', params: {} })}`,
      'permit touch made',
      'say Still here.',
    ])
    const exit = await endOf(world, 60)
    expect(exit).toMatchObject({ exitCode: 0, cause: 'agent' })
    expect(exit).not.toHaveProperty('agentError')
    expect(world.service.log()).toContain('"text":"touch made: no\\n"')
    expect(world.service.log()).toContain('Still here.')
    expect(world.service.calls('reportLaunched').at(-1)?.body).toMatchObject({
      externalSessionId: 'conversation-0',
    })
    for (const route of ['answerQuestion', 'ask', 'deliver']) {
      expect(world.service.calls(route)).toEqual([])
    }
  })

  test('and says that its turn is over while it goes on is ended', async () => {
    const over = { jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } }
    await using world = await openProtocolWorld([`print ${JSON.stringify(over)}`, 'wait'])
    expect(await endOf(world)).toMatchObject({ cause: 'agent' })
    expect(world.service.calls('deliver')).toEqual([])
  })

  test('and wants to write outside of its worktree, or into the folder of Git, is refused', async () => {
    using elsewhere = temporaryFolder()
    mkdirSync(join(elsewhere.path, 'project'))
    const paths = [
      join(elsewhere.path, 'project', 'file.txt'),
      '../../../../../../agents.json',
      '.git/config',
    ]
    await using world = await openProtocolWorld(paths.map((path) => `edit ${path}`))
    await endOf(world)
    for (const path of paths) expect(world.service.log()).toContain(`"text":"${path}: no\\n"`)
  })

  test('and prints a secret piece by piece between its messages shows none of it', async () => {
    await using world = await openProtocolWorld([
      `log ${halves[0]}`,
      `run printf '${halves[0]}' >&2; sleep 0.2; printf '${halves[1]}' >&2; echo '${testToken}'`,
      `say ${testToken}`,
      `print ${testToken}`,
      `call cat ${testToken}`,
    ])
    await endOf(world)
    expect(world.service.log().match(/\[masked\]/g)?.length).toBeGreaterThanOrEqual(4)
  })
})
