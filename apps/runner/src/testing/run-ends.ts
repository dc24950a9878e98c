import { markedProcesses } from '../processes/find-processes.ts'
import { expect, test } from 'vitest'
import { brokenConnection, noAnswer, refusal } from './contract-service.ts'
import { openRunnerWorld, type RunnerWorld } from './runner-world.ts'

const losses = { 'cut off': brokenConnection, 'left without an answer': noAnswer }

/** Tests of a run that is lost to the service in that way. */
export function endsWithItsLease(loss: keyof typeof losses): void {
  test(`comes by itself when it is ${loss} before its agent attached`, async () => {
    await using world = await openRunnerWorld('sleep 600')
    const { service } = world
    const { executionRequest } = world.queue()
    await world.start()
    await service.called('reportLaunched')
    service.answer('heartbeatRunner', () => losses[loss])
    service.answer('completeRunFiles', () => refusal('lease_lost'))
    await world.reached('exited')
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
    await world.reached('cleaned')
  })
}

export function isReportedFailed(code: string, wanted: Parameters<RunnerWorld['queue']>[0]): void {
  test(`that cannot start is reported failed: ${code}`, async () => {
    await using world = await openRunnerWorld('true')
    world.queue(wanted)
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.calls('reportFailed')[0]?.body).toMatchObject({ code })
    expect(world.service.calls('reportExited')).toEqual([])
  })
}
