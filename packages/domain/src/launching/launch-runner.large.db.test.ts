import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const missing = (warnings: readonly { code: string; message: string }[]) =>
  warnings.filter(({ code }) => code === 'agent_not_available').map(({ message }) => message)

describe('a launch that names a runner', () => {
  test('is taken by one of that name alone, also where others wait for work', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['one', 'two'], {
      allowParallelObjectives: true,
    })
    const [attic, box] = await Promise.all(
      ['attic', 'box'].map((label) => world.connectedRunner(project, { label })),
    )
    const waiting = attic!.claim({ waitSeconds: 20 })
    const [named, free] = mission.objectives
    const { executionRequest, warnings } = await alice.launch(named, { runner: 'box' })
    expect(missing(warnings)).toEqual([])
    expect(executionRequest).toMatchObject({ onlyRunner: 'box', runnerLabel: null })
    expect((await attic!.claim()).request).toBeNull()
    // nothing that is behind it waits for it
    const other = await alice.launch(free)
    expect((await waiting).request?.executionRequest.id).toBe(other.executionRequest.id)
    expect((await box!.take()).id).toBe(executionRequest.id)
  })

  test('wakes the one of that name where both wait', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['one'])
    const [attic, box] = await Promise.all(
      ['attic', 'box'].map((label) => world.connectedRunner(project, { label })),
    )
    const stop = new AbortController()
    const idle = attic!.claim({ waitSeconds: 20 }, { signal: stop.signal })
    const waiting = box!.claim({ waitSeconds: 20 })
    const { executionRequest } = await alice.launch(mission.objectives[0], { runner: 'box' })
    expect((await waiting).request?.executionRequest.id).toBe(executionRequest.id)
    stop.abort()
    await idle.catch(() => undefined)
  })

  test('says that no runner has the name, that it is away, or what it lacks', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['one'])
    const [objective] = mission.objectives
    const waits = 'The request waits for it; a launch with another choice takes its place.'
    await world.connectedRunner(project, { label: 'cellar' })
    const unknown = await alice.launch(objective, { runner: 'shelf' })
    expect(missing(unknown.warnings)).toEqual([`No runner is called shelf. ${waits}`])
    await world.advance(600)
    await world.connectedRunner(project, { label: 'shelf' })
    const away = await alice.launch(objective, { runner: 'cellar' })
    expect(missing(away.warnings)).toEqual([`The runner cellar is away. ${waits}`])
    const lacking = await alice.launch(objective, { runner: 'shelf', agent: 'rare' })
    expect(missing(lacking.warnings)).toEqual([
      `The runner shelf takes nothing of this project with the agent rare. ${waits}`,
    ])
  })

  test('keeps its name when it is given back, and a launch without one lets it go', async ({
    world,
  }) => {
    const { alice, mission, project } = await world.missionWith(['one'])
    const [objective] = mission.objectives
    const box = await world.connectedRunner(project, { label: 'box' })
    const attic = await world.connectedRunner(project, { label: 'attic' })
    await alice.launch(objective, { runner: 'box' })
    await box.released(await box.take(), { reason: 'runner_draining' })
    expect((await attic.claim()).request).toBeNull()
    const { reused, executionRequest, warnings } = await alice.launch(objective)
    expect({ reused, onlyRunner: executionRequest.onlyRunner }).toEqual({
      reused: false,
      onlyRunner: null,
    })
    expect(warnings[0]?.message).toContain('runner box')
    expect((await attic.take()).id).toBe(executionRequest.id)
  })
})
