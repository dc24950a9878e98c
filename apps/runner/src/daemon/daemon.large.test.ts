import { once } from 'node:events'
import { writeFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readHolders } from '../git/checkout-holders.ts'
import { markedProcesses } from '../processes/find-processes.ts'
import { brokenConnection } from '../testing/contract-service.ts'
import { killHard } from '../testing/kill-hard.ts'
import { endsWithItsLease, isReportedFailed } from '../testing/run-ends.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'

describe('a run', () => {
  test('without a resource works in a scratch folder', async () => {
    await using world = await openRunnerWorld('pwd')
    world.queue({ resourceKey: null })
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.log().trim()).toBe(join(world.home.scratch, 'web', '7'))
  })

  isReportedFailed('agent_not_found', { agent: 'claude' })

  test('whose agent does not start is reported failed with the error, without its path', async () => {
    await using world = await openRunnerWorld('true')
    world.queue()
    const daemon = await world.start({ once: true })
    writeFileSync(join(world.home.folder, '..', 'agent.sh'), '#!/nonexistent/interpreter\n')
    await daemon.done
    const { code, message } = world.service.calls('reportFailed')[0]?.body ?? {}
    expect(code).toBe('agent_not_found')
    expect(message).toBe(
      'agent.sh does not start: spawn agent.sh ENOENT. Install or repair it, then launch again.',
    )
  })

  test('reports where its branch was cut and which commit it left there', async () => {
    await using world = await openRunnerWorld(
      'git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m work; git switch -q main',
    )
    const { service, checkout } = world
    const start = gitIn(checkout, 'rev-parse', 'main')
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    const left = gitIn(checkout, 'rev-parse', 'add-a-greeting-7')
    expect(left).not.toBe(start)
    expect(service.calls('reportLaunching')[1]?.body['prepared']).toMatchObject({
      branch: 'add-a-greeting-7',
      missionBranch: 'add-a-greeting-7',
      startSha: start,
      baseSha: start,
    })
    expect(service.changes()).toMatchObject({ headSha: left })
    expect(service.calls('reportExited')[0]?.body).toMatchObject({ headSha: left })
  })

  test('reports what its agent says went wrong, at once and with its end, without secrets', async () => {
    await using world = await openRunnerWorld(
      `echo '{"type":"error","message":"No login for '"$SVC_USER_TOKEN"' in '"$PWD"'"}'; exit 1`,
    )
    const { queue, start, service } = world
    queue()
    await start()
    const { body } = await service.called('reportExited')
    const agentError = expect.stringMatching(/^No login for \[masked\] in \D+/)
    expect(body).toMatchObject({ exitCode: 1, agentError })
    expect(body['agentError']).not.toContain(world.worktree)
    const launched = service.calls('reportLaunched').map((call) => call.body['agentError'])
    expect(launched).toEqual([undefined, agentError])
  })

  test('sends the calls that its agent left behind before it reports the exit', async () => {
    await using world = await openRunnerWorld(
      `mkdir -p "$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID"
       printf '%s' '{"operation":"deliver","input":{"sessionKey":"s","summary":"done"},"idempotencyKey":"k-1","at":"2026-11-01T10:00:00Z"}' > "$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID/0001.json"`,
    )
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    const routes = world.service.received.map(({ route }) => route)
    expect(routes.indexOf('deliver')).toBeLessThan(routes.indexOf('reportExited'))
    expect(world.service.calls('deliver')[0]?.headers['idempotency-key']).toBe('k-1')
  })

  test('keeps session key and unsent calls when its agent cleans the working tree', async () => {
    await using world = await openRunnerWorld(
      `folder="$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID"
       mkdir -p "$folder"
       printf '%s' '{"operation":"deliver","input":{"sessionKey":"s","summary":"done"},"idempotencyKey":"k-1","at":"2026-11-01T10:00:00Z"}' > "$folder/0001.json"
       git clean --quiet -fdx && cat "$SVC_TMPDIR/run-$SVC_EXECUTION_REQUEST_ID.json"`,
    )
    const { executionRequest } = world.queue()
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.log()).toContain(`"requestId":"${executionRequest.id}"`)
    expect(world.service.calls('deliver')[0]?.headers['idempotency-key']).toBe('k-1')
  })
})

describe('the end of a run', () => {
  test('comes some time after its delivery when the agent stays', async () => {
    await using world = await openRunnerWorld('sleep 600')
    world.queue()
    await world.start({
      timing: { interruptSeconds: 0.3, terminateSeconds: 0.3, stayAfterDeliverySeconds: 0.5 },
    })
    await world.service.called('reportLaunched')
    Object.assign(world.service.state, { attached: true, outcome: 'delivered' })
    const { body } = await world.service.called('reportExited')
    expect(body).toMatchObject({ cause: 'agent', signal: 'SIGINT' })
  })

  endsWithItsLease('left without an answer')

  test.each([
    ['next to what its supervisor wrote', '$SVC_TMPDIR'],
    ['where a sandbox lets it write', '$SVC_WORKING_DIRECTORY/.svc/tmp'],
  ])('does not come when its agent has left the mark of its attach %s', async (_, folder) => {
    await using world = await openRunnerWorld(
      `name="run-$SVC_EXECUTION_REQUEST_ID.json"
       sed 's/}$/,"sessionKey":"sess_x"}/' "$SVC_TMPDIR/$name" > new && mv new "${folder}/$name"
       sleep 6; echo through`,
    )
    const { service } = world
    service.answer('heartbeatRunner', () =>
      service.calls('reportLaunched').length > 0 ? brokenConnection : undefined,
    )
    world.queue()
    const daemon = await world.start({ once: true })
    await daemon.done
    expect(service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0, cause: 'agent' })
    expect(service.log()).toBe('through\n')
  })

  test.each([
    ['a person cancels it', 'cancelled'],
    ['another run has taken its place', undefined],
  ])('comes after its agent has attached, too, when %s', async (_, cause) => {
    await using world = await openRunnerWorld(
      `trap '' INT TERM; setsid sleep 600 & sleep 600 & wait`,
    )
    const { service } = world
    service.state.attached = true
    const { executionRequest } = world.queue()
    await world.start()
    await service.called('reportLaunched')
    await service.called('heartbeatRunner', service.calls('heartbeatRunner').length + 2)

    const requestId = executionRequest.id
    const cancelled = { type: 'cancel', requestId, graceSeconds: 0 }
    const lease = { requestId, ok: false, reason: 'superseded' }
    const answer = cause
      ? { leases: [], directives: [cancelled] }
      : { leases: [lease], directives: [] }
    service.answer('heartbeatRunner', () => ({
      status: 200,
      json: { ...answer, serverTime: 'now' },
    }))

    await world.reached('cleaned')
    expect(markedProcesses({ requestId, generation: 1 })).toEqual([])
    const exits = service.calls('reportExited').map(({ body }) => [body['cause'], body['signal']])
    expect(exits).toEqual(cause ? [[cause, 'SIGKILL']] : [])
  })

  test('is silent once it was superseded', async () => {
    using output = temporaryFolder()
    const end = join(output.path, 'end')
    await using world = await openRunnerWorld(`until test -e '${end}'; do sleep 0.1; done`)
    const { service } = world
    const { executionRequest } = world.queue()
    await world.start()
    const folder = await world.reached('spawned')
    await service.called('reportLaunched')
    let answers = 0
    service.answer('heartbeatRunner', ({ leases }) => {
      answers += 1
      // a supervisor that goes on asks again, and then has an end to report
      if (answers === 3) writeFileSync(end, '')
      return {
        status: 200,
        json: {
          leases: (leases as { requestId: string }[]).map(({ requestId }) => ({
            requestId,
            ok: false,
            reason: 'superseded',
          })),
          directives: [],
          serverTime: 'now',
        },
      }
    })
    await world.reached('cleaned')
    expect(service.calls('reportExited')).toEqual([])
    expect(service.calls('completeRunFiles')).toEqual([])
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
    expect(readHolders(world.worktree)).toEqual([])
    expect(folder).toContain(executionRequest.id)
  })

  test('does not come when it is cut off after its agent attached', async () => {
    await using world = await openRunnerWorld('sleep 5; echo through')
    const { service } = world
    service.state.attached = true
    world.queue()
    const daemon = await world.start({ once: true })
    await service.called('reportLaunched')
    await service.called('heartbeatRunner', service.calls('heartbeatRunner').length + 1)
    service.answer('heartbeatRunner', () => brokenConnection)
    await daemon.done
    expect(service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0, cause: 'agent' })
  })
})

describe('what a killed process leaves', () => {
  test('is given back when a supervisor is lost before it spawned', async () => {
    await using world = await openRunnerWorld('true')
    world.service.answer('load-context', () => brokenConnection)
    world.queue()
    await world.start()
    await world.service.called('load-context')
    killHard(await world.reached('supervisor'), 'supervisor')
    const { body } = await world.service.called('reportReleased')
    expect(body).toMatchObject({ reason: 'supervisor_lost' })
  })

  test('goes on without its daemon, and is found and ended by the next one', async () => {
    await using world = await openRunnerWorld('sleep 600')
    const { service } = world
    world.queue()
    const first = world.startProcess()
    const folder = await world.reached('spawned')
    await service.called('reportLaunched')
    first.kill('SIGKILL')
    await service.called('heartbeatRunner', service.calls('heartbeatRunner').length + 3)
    expect(service.calls('reportExited')).toEqual([])

    const daemon = await world.start({ max: 1 })
    const claims = service.calls('claimExecutionRequest').length
    killHard(folder, 'supervisor')
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'supervisor_lost' })
    expect(claims).toBe(service.calls('claimExecutionRequest').filter(isOfFirst).length)
    daemon.drain()
    await daemon.done

    function isOfFirst({ body: claim }: { body: Record<string, unknown> }): boolean {
      return (claim['runner'] as { capacity: { max: number } }).capacity.max !== 1
    }
  })

  test('is waited for by the next daemon that takes none, and ends once it is over', async () => {
    using outside = temporaryFolder()
    const end = join(outside.path, 'end')
    await using world = await openRunnerWorld(`until test -e '${end}'; do sleep 0.1; done`)
    const { service } = world
    world.queue()
    const first = world.startProcess()
    await service.called('reportLaunched')
    first.kill('SIGKILL')
    await once(first, 'exit')
    const claims = service.calls('claimExecutionRequest').length

    const daemon = await world.start({ takesNone: true })
    world.queue()
    let isDone = false
    const done = daemon.done.then(() => (isDone = true))
    await service.called('heartbeatRunner', service.calls('heartbeatRunner').length + 3)
    expect(isDone).toBe(false)
    writeFileSync(end, '')
    await done
    expect(service.calls('reportExited')).toHaveLength(1)
    expect(service.calls('claimExecutionRequest')).toHaveLength(claims)
  })

  test('is ended by the next daemon when daemon and supervisor are lost', async () => {
    await using world = await openRunnerWorld('sleep 600')
    const { executionRequest } = world.queue()
    const first = world.startProcess()
    const folder = await world.reached('spawned')
    await world.service.called('reportLaunched')
    first.kill('SIGKILL')
    killHard(folder, 'supervisor')
    await world.start()
    await world.reached('cleaned')
    const reports = world.service.calls('reportExited').map(({ body }) => body)
    expect(reports).toMatchObject([{ cause: 'supervisor_lost' }])
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
  })

  test('is reported with its signal when an agent is killed', async () => {
    await using world = await openRunnerWorld('sleep 600')
    world.queue()
    await world.start()
    const folder = await world.reached('spawned')
    killHard(folder, 'spawned')
    const { body } = await world.service.called('reportExited')
    expect(body).toMatchObject({ signal: 'SIGKILL', cause: 'agent' })
  })

  test('is recognized by the boot: after a restart of the machine no process is looked for', async () => {
    await using world = await openRunnerWorld('sleep 60')
    world.queue()
    const first = world.startProcess()
    const folder = await world.reached('spawned')
    await world.service.called('reportLaunched')
    first.kill('SIGKILL')
    killHard(folder, 'supervisor')
    const journal = join(folder, 'journal.ndjson')
    writeFileSync(
      journal,
      readFileSync(journal, 'utf8').replace(/"bootId":"[^"]*"/, '"bootId":"another"'),
    )
    await world.start()
    const { body } = await world.service.called('reportExited')
    expect(body).toMatchObject({ cause: 'host_rebooted' })
    killHard(folder, 'spawned')
  })

  test('is started when a daemon was lost between the claim and the supervisor', async () => {
    await using world = await openRunnerWorld('echo late')
    world.queue()
    const first = await world.start({ once: true })
    await first.done
    const folder = await world.reached('cleaned')
    const [claimed] = readFileSync(join(folder, 'journal.ndjson'), 'utf8').trim().split('\n')
    writeFileSync(join(folder, 'journal.ndjson'), `${claimed}\n`)
    await world.start()
    const { body } = await world.service.called('reportExited', 2)
    expect(body).toMatchObject({ cause: 'agent', exitCode: 0 })
  })
})

describe('a daemon', () => {
  test('gives back a run whose agent has not started when it is drained', async () => {
    await using world = await openRunnerWorld('true')
    world.service.answer('load-context', () => brokenConnection)
    world.queue()
    const daemon = await world.start()
    await world.service.called('load-context')
    daemon.drain()
    await daemon.done
    expect(world.service.calls('reportReleased')[0]?.body).toMatchObject({
      reason: 'runner_draining',
    })
  })

  test('takes no second run above its capacity', async () => {
    using outside = temporaryFolder()
    const end = join(outside.path, 'end')
    await using world = await openRunnerWorld(`until test -e '${end}'; do sleep 0.1; done`)
    world.queue()
    world.queue({ missionId: '0190a000-0000-7000-8000-000000000009' })
    const daemon = await world.start({ max: 1 })
    await world.service.called('reportLaunched')
    const before = world.service.calls('claimExecutionRequest').length
    writeFileSync(end, '')
    await world.service.called('reportExited')
    expect(before).toBe(1)
    daemon.drain()
    await daemon.done
  })

  test('removes what is left of runs that ended a week ago, while it runs', async () => {
    await using world = await openRunnerWorld('true')
    world.queue()
    await world.start({ pruneMs: 50 })
    const folder = await world.reached('cleaned')
    const eightDaysAgo = Date.now() / 1000 - 8 * 24 * 3600
    utimesSync(join(folder, 'journal.ndjson'), eightDaysAgo, eightDaysAgo)
    await expect.poll(() => existsSync(folder)).toBe(false)
  })

  test('goes on, and says so once, while its links cannot be read and its worktrees are gone', async () => {
    await using world = await openRunnerWorld('true')
    const warnings: string[] = []
    const log = { info: () => undefined, warn: (_: object, text: string) => warnings.push(text) }
    rmSync(world.home.worktrees, { recursive: true })
    writeFileSync(world.home.resourcesFile, '[{')
    const daemon = await world.start({ pruneMs: 20, log })
    await world.service.called('claimExecutionRequest')
    await expect.poll(() => warnings.length).toBe(2)
    rmSync(world.home.resourcesFile)
    world.queue()
    await world.service.called('reportExited')
    await daemon[Symbol.asyncDispose]()
    expect(warnings).toEqual([
      expect.stringContaining('resources.json cannot be read: correct it'),
      'what is done again and again failed; trying again',
    ])
  })

  test('writes a svc command that starts the Node it runs on', async () => {
    await using world = await openRunnerWorld('svc hello')
    const entry = join(world.home.folder, "it's cli.mjs")
    mkdirSync(world.home.folder, { recursive: true })
    writeFileSync(entry, 'console.log(process.execPath, ...process.argv.slice(2))')
    world.queue()
    await (
      await world.start({ once: true, cliEntry: entry })
    ).done
    expect(world.service.log()).toBe(`${process.execPath} hello\n`)
  })
})
