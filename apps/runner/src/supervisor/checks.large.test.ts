import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { openChecked } from '../testing/checks.ts'
import { refusal } from '../testing/contract-service.ts'
import { stubborn } from '../testing/pre-launch.ts'

describe('a check that is under way', () => {
  test('ends with its agent, and comes to nothing', async () => {
    await using world = await openChecked({ test: { command: stubborn } })
    world.want(1, 'test')
    await world.service.called('reportCheck')
    world.end()
    await world.reached('cleaned')
    expect(world.reports()).toMatchObject([{ attempt: 1 }])
    expect(world.reports()[0]?.report).toBeUndefined()
    expect(markedProcesses({ requestId: world.requestId, generation: 1 })).toEqual([])
    expect(world.service.calls('reportExited')).toHaveLength(1)
  })

  test('is asked for again and again, and run once', async () => {
    await using world = await openChecked({ test: { command: 'sleep 2' } })
    const report = await world.attempt(1, 'test')
    expect(report.results).toMatchObject([{ outcome: 'passed' }])
    expect(world.reports()).toHaveLength(2)
    world.end()
    await world.reached('cleaned')
    expect(world.reports()).toHaveLength(2)
  })
})

test('a delivery that its agent left behind is checked by the supervisor, and delivered as failed where nobody can correct it', async () => {
  const call = JSON.stringify({
    operation: 'deliver',
    input: { sessionKey: 'sess_x', summary: 'Done.' },
    idempotencyKey: 'first',
    at: new Date().toISOString(),
  })
  const kept = '"$SVC_TMPDIR/spool/$SVC_EXECUTION_REQUEST_ID"'
  await using world = await openChecked(
    { test: { command: 'exit 1' } },
    { agent: `mkdir -p ${kept}; echo '${call}' > ${kept}/0001.json` },
  )
  const { service } = world
  const keys = () =>
    service.calls('deliver').map(({ headers }) => String(headers['idempotency-key']))
  service.answer('deliver', () => {
    if (keys().length === 1) world.want(1, 'test')
    const isChecked = world.reports().some((one) => one.report)
    if (!isChecked) return refusal('check_running')
    return keys().at(-1) === 'first' ? refusal('check_failed', 422) : { status: 200, json: {} }
  })
  world.end()
  await world.reached('cleaned')
  const all = keys()
  expect(new Set(all.slice(0, -1))).toEqual(new Set(['first']))
  expect(all.at(-1)).not.toBe('first')
  expect(world.reports().at(-1)?.report?.results).toMatchObject([{ outcome: 'failed' }])
})
