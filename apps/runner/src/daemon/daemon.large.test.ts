import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { brokenConnection } from '../testing/contract-service.ts'
import { killHard } from '../testing/kill-hard.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { endsWithItsLease, isReportedFailed } from '../testing/run-ends.ts'

const seconds = 60_000

describe('a run', { timeout: seconds }, () => {
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
})

describe('the end of a run', { timeout: seconds }, () => {
  endsWithItsLease('left without an answer')

  test.each([
    ['beside what its supervisor wrote', '$SVC_TMPDIR'],
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
    await using world = await openRunnerWorld(`trap '' INT TERM; setsid sleep 60 & sleep 60 & wait`)
    const { service } = world
    service.state.attached = true
    const { executionRequest } = world.queue()
    await world.start()
    await service.called('reportLaunched')
    await service.called('heartbeatRunner', service.calls('heartbeatRunner').length + 2)

    const requestId = executionRequest.id
    const cancelled = { type: 'cancel', requestId, graceSeconds: 0 }
    const lease = { requestId, ok: false, reason: 'superseded' }
    const told = cause
      ? { leases: [], directives: [cancelled] }
      : { leases: [lease], directives: [] }
    service.answer('heartbeatRunner', () => ({ status: 200, json: { ...told, serverTime: 'now' } }))

    await world.reached('cleaned')
    expect(markedProcesses({ requestId, generation: 1 })).toEqual([])
    const exits = service.calls('reportExited').map(({ body }) => [body['cause'], body['signal']])
    expect(exits).toEqual(cause ? [[cause, 'SIGKILL']] : [])
  })
})

describe('what a killed process leaves', { timeout: seconds }, () => {
  test('goes on without its daemon, and is found and ended by the next one', async () => {
    await using world = await openRunnerWorld('sleep 60')
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

  test('is ended by the next daemon when daemon and supervisor are lost', async () => {
    await using world = await openRunnerWorld('sleep 60')
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
})
