import { expect, test } from 'vitest'
import { attachableStep, sessionKey } from '../testing/protocol-world.ts'

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
