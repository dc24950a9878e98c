import { describe, expect, test } from 'vitest'
import {
  namesOfNone,
  isUsedForNothing,
  badFields,
  failsBeforeUse,
  badAnswers,
  endsNoRunner,
  answerClaims,
  claimAnswer,
  orderWith,
  above,
} from '../testing/hostile-service.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { findStep, readJournal } from '../run/journal.ts'
import { listUnfinishedRuns } from '../run/run-folder.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'

describe('an order of a hostile service', () => {
  isUsedForNothing(namesOfNone)

  failsBeforeUse(badFields)

  endsNoRunner(badAnswers)

  test('without the token of its agent is refused where there is to be one', async () => {
    await using world = await openRunnerWorld('true')
    answerClaims(world, () => claimAnswer(makeAssignment()))
    await (
      await world.start({ once: true, agentToken: 'minted' })
    ).done
    const { body } = await world.service.called('reportFailed')
    expect(body).toMatchObject({
      code: 'bad_order',
      message: expect.stringContaining('the token of its agent is missing'),
    })
  })

  test('that comes again and again is carried out once', async () => {
    await using world = await openRunnerWorld('true')
    const assignment = world.queue({ resourceKey: null })
    answerClaims(world, () => claimAnswer(assignment))
    const daemon = await world.start()
    await world.service.called('reportExited')
    await world.service.called('claimExecutionRequest', 5)
    daemon.drain()
    await daemon.done
    expect(world.service.calls('reportLaunched')).toHaveLength(1)
  })

  test('of a later version is carried out without what this one does not know', async () => {
    await using world = await openRunnerWorld('true')
    const assignment = world.queue({ resourceKey: null })
    const withMore = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withMore)
      if (typeof value !== 'object' || value === null) return value
      const known = Object.entries(value).map(([key, of]) => [key, withMore(of)])
      return { ...Object.fromEntries(known), ofALaterVersion: { it: 'says' } }
    }
    const { launchSettings } = assignment
    answerClaims(world, () => {
      const { request, ...rest } = withMore(claimAnswer(assignment)) as { request: object }
      // the project may use any name for these
      return { ...rest, request: { ...request, launchSettings } }
    })
    await (
      await world.start({ once: true })
    ).done
    expect(world.service.calls('reportLaunched')).toHaveLength(1)
  })

  test('is refused once by a runner that takes one', async () => {
    await using world = await openRunnerWorld('true')
    answerClaims(world, () =>
      claimAnswer(orderWith((order) => (order['project']!['slug'] = above))),
    )
    const daemon = await world.start({ once: true })
    await daemon.done
    expect(world.service.calls('claimExecutionRequest')).toHaveLength(1)
    expect(world.service.calls('reportFailed')).toHaveLength(1)
  })
})

test('a run whose order cannot be read any more is ended and keeps no runner from ending', async () => {
  await using world = await openRunnerWorld('while :; do sleep 0.1; done')
  world.queue({ resourceKey: null })
  const process_ = world.startProcess()
  const folder = await world.reached('spawned')
  process_.kill('SIGKILL')
  process.kill(findStep(readJournal(folder), 'supervisor')!.pid, 'SIGKILL')
  writeFileSync(join(folder, 'request.json'), '{}')
  const daemon = await world.start()
  await expect.poll(() => listUnfinishedRuns(world.home)).toEqual([])
  daemon.drain()
  await daemon.done
  expect(readProcess(findStep(readJournal(folder), 'spawned')!.pid)).toBeUndefined()
})
