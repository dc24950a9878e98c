import { findStep } from '@svc/runner/run/journal'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { readRecorded, unstartable } from './support/agents.ts'
import { resourceKey } from './support/scene.ts'
import { test } from './support/test.ts'
import { worktreeOf } from './support/worktree-of.ts'

describe('the environment of an agent', () => {
  test(
    verifies(
      ['env.SVC_PROJECT_RESOURCES.only-with-resources', 'env.SVC_PRIMARY_RESOURCE_PATH.empty'],
      'names no resources for a project that has none',
    ),
    async ({ service }) => {
      await using scene = await service.scene()
      const machine = await scene.machine()
      await scene.launch('quits')
      await scene.untilEnded()
      const { environment, directory } = readRecorded(machine.home.folder)
      expect(environment).not.toHaveProperty('SVC_PROJECT_RESOURCES')
      expect(environment).toMatchObject({
        SVC_PRIMARY_RESOURCE_PATH: '',
        SVC_PROJECT_RESOURCES_PATHS: '',
        SVC_WORKING_DIRECTORY: directory,
      })
      expect(directory.startsWith(machine.home.scratch)).toBe(true)
    },
  )

  test(
    verifies(
      'env.SVC_PRIMARY_RESOURCE_PATH.current',
      'takes the resource of the run for the primary one that is not here',
    ),
    async ({ service }) => {
      await using scene = await service.scene({
        repository: true,
        elsewhere: [{ resourceKey: 'main-one', primary: true }],
      })
      const machine = await scene.machine()
      await scene.launch('quits', resourceKey)
      await scene.untilEnded()
      const { environment } = readRecorded(machine.home.folder)
      expect(environment['SVC_PRIMARY_RESOURCE_PATH']).toBe(
        worktreeOf({ scene, machine }, 'build-the-bridge-1'),
      )
    },
  )
})

describe('an agent', () => {
  test(
    verifies(
      ['runner.reports-failed', 'runner.failure-error', 'runner.failure-stops-objective'],
      'that cannot be started fails its run with the reason, and the objective is as before',
    ),
    async ({ service }) => {
      await using scene = await service.scene()
      const machine = await scene.machine()
      await scene.launch(unstartable)
      const run = await scene.untilEnded()
      expect(run).toMatchObject({
        status: 'failed',
        failure: {
          code: 'agent_not_found',
          phase: 'spawn',
          message: expect.stringContaining('ENOENT'),
        },
      })
      const { objective } = await scene.client.call('getObjective', { id: scene.objective.id })
      expect(objective.state).toBe('draft')
      await machine.settled()
      expect(findStep(machine.runs()[0]?.steps ?? [], 'spawned')).toBeUndefined()
    },
  )
})
