import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brokenConnection, refusal } from '../testing/contract-service.ts'
import { killHard } from '../testing/kill-hard.ts'
import { attachableStep, sessionKey } from '../testing/protocol-world.ts'

describe('a step without a model whose supervisor is lost', () => {
  test('does not begin where nobody has attached in its name', async () => {
    const { world } = await attachableStep('touch begun')
    await using _ = world
    const { service } = world
    service.answer('attach', () => brokenConnection)
    await world.start()
    await service.called('attach')
    killHard(await world.reached('spawned'), 'supervisor')
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'supervisor_lost' })
    expect(existsSync(join(world.worktree, 'begun'))).toBe(false)
    expect(service.calls('deliver')).toEqual([])
  })

  test('has not ended well where nobody has seen it end', async () => {
    const { world } = await attachableStep('touch begun; sleep 1')
    await using _ = world
    const { service } = world
    await world.start()
    await expect.poll(() => existsSync(join(world.worktree, 'begun'))).toBe(true)
    killHard(await world.reached('spawned'), 'supervisor')
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'supervisor_lost', exitCode: null })
    expect(service.calls('deliver')).toEqual([])
  })

  test('is delivered once by whoever comes after, where its end was seen', async () => {
    const { world } = await attachableStep('echo done')
    await using _ = world
    const { service } = world
    let isLost = false
    service.answer('deliver', () => (isLost ? { status: 200, json: {} } : brokenConnection))
    await world.start()
    await service.called('deliver')
    killHard(await world.reached('spawned'), 'supervisor')
    isLost = true
    await service.called('reportExited')
    const keys = service.calls('deliver').map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    expect(service.calls('deliver').at(-1)?.body).toMatchObject({ summary: 'done' })
  })
})

test.each([
  ['fails', 'echo "no route"; exit 3', 3, /^$/],
  ['may not attach', 'echo begun', 125, /could not attach/],
])('a step without a model that %s delivers nothing', async (how, script, exitCode, why) => {
  const { world } = await attachableStep(script)
  await using _ = world
  const { service } = world
  if (how === 'may not attach') service.answer('attach', () => refusal('mission_busy'))
  await (
    await world.start({ once: true })
  ).done
  const { body } = await service.called('reportExited')
  expect(body['exitCode']).toBe(exitCode)
  expect(body['agentError'] ?? '').toMatch(why)
  expect(service.log()).not.toContain('begun')
  expect(service.calls('deliver')).toEqual([])
})

test('a step without a model whose delivery is refused says why', async () => {
  const { world } = await attachableStep('echo done')
  await using _ = world
  const { service } = world
  service.answer('deliver', () => refusal('question_open'))
  await (
    await world.start({ once: true })
  ).done
  const { body } = await service.called('reportExited')
  expect(body).toMatchObject({
    exitCode: 0,
    agentError: 'The delivery was not taken: question_open',
  })
})

test('a step without a model attaches before it begins, and delivers what it prints', async () => {
  const { world, assignment } = await attachableStep(
    'read -r more; echo "deployed by $SVC_USER_TOKEN in $PWD$more"',
  )
  await using _ = world
  const { service } = world
  let delivered = 0
  service.answer('deliver', () => ({ status: (delivered += 1) > 1 ? 200 : 503, json: {} }))
  await (
    await world.start({ once: true })
  ).done
  expect(service.calls('attach')[0]?.body).toMatchObject({
    agentIdentifier: 'shell',
    executionRequestId: assignment.executionRequest.id,
    generation: 1,
  })
  const keys = service.calls('deliver').map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  expect(service.calls('deliver').at(-1)?.body).toEqual({
    sessionKey,
    summary: expect.stringMatching(
      /^deployed by \[masked\] in the home of runner [^/]+\/worktrees\//,
    ),
  })
  const routes = service.received.map(({ route }) => route)
  expect(routes.lastIndexOf('deliver')).toBeLessThan(routes.indexOf('reportExited'))
  expect(service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0, cause: 'agent' })
})
