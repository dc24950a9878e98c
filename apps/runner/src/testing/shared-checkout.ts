import { expect, test } from 'vitest'
import { thisRunner } from './assignment.ts'
import { openRunnerWorld } from './runner-world.ts'
import { gitIn } from '@svc/testing/temporary'

export const branch = 'add-a-greeting-7'

/** What the service records of a branch on which a run has committed nothing yet. */
export function recordedIn(checkout: string) {
  const startSha = gitIn(checkout, 'rev-parse', 'main')
  return {
    branch,
    startSha,
    lastSha: startSha,
    runnerId: thisRunner,
    runnerLabel: 'laptop',
  }
}

export function shareOneCheckout(whose: string, without: object): void {
  test(`share the one checkout ${whose} [parallel.shared-checkout]`, async () => {
    await using world = await openRunnerWorld('sleep 600')
    const { service } = world
    const first = world.queue(without)
    await world.start()
    await service.called('reportLaunched')
    const { mission, project, executionRequest } = first
    const recorded = { activeBranch: branch, branches: { mission: recordedIn(world.checkout) } }
    const second = {
      missionId: mission.id,
      projectId: project.id,
      ...without,
      ...recorded,
    }
    world.queue({ ...second, siblings: [executionRequest] })
    await service.called('reportLaunched', 2)
    const prepared = service.calls('reportLaunching').flatMap(({ body }) => body['prepared'] ?? [])
    const shared = { workingDirectory: world.checkout, branch, checkout: 'own' }
    expect(prepared).toMatchObject([shared, shared])

    world.queue({ projectId: project.id, title: 'Another', ...without })
    const { body } = await service.called('reportReleased')
    expect(body).toMatchObject({
      reason: 'checkout_busy',
      next: { operation: 'getExecutionRequest', params: { id: expect.any(String) } },
    })
    expect(service.calls('reportExited')).toEqual([])
  })
}
