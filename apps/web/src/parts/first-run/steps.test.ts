import { expect, test } from 'vitest'
import { type Known, type StepName, stepsOf } from './steps.ts'

const nothing: Known = { runners: [], resources: [], objectives: [] }
const project = { slug: 'web', name: 'Web' }
const runner = { label: 'lap', state: 'connected' as const, agents: ['claude'] }
const repository = { resourceKey: 'web', state: 'connected', permission: 'rw' } as const
const mission = { displayId: 'web:1', phase: 'draft' } as const
const objective = { displayId: 'web:1.k7qd', state: 'submitted', instruction: 'Do it.' } as const

/** The first that is not done. */
function nextOf(known: Known): StepName | undefined {
  return stepsOf(known).find(({ isDone }) => !isDone)?.name
}

const linked: Known = { ...nothing, project, runners: [runner], resources: [repository] }
const written: Known = { ...linked, mission, objectives: [objective] }

test.each<[string, Known, StepName | undefined]>([
  ['nothing', nothing, 'project'],
  ['a project', { ...nothing, project }, 'runner'],
  [
    'a runner that was left',
    { ...nothing, project, runners: [{ ...runner, state: 'unavailable' }] },
    'runner',
  ],
  [
    'a runner that has no agent',
    { ...nothing, project, runners: [{ ...runner, agents: [] }] },
    'runner',
  ],
  [
    'a runner that has an agent beside one that has none',
    { ...nothing, project, runners: [{ ...runner, agents: [] }, runner] },
    'repository',
  ],
  ['a runner', { ...nothing, project, runners: [runner] }, 'repository'],
  [
    'a repository that no runner has',
    { ...linked, resources: [{ ...repository, state: 'unavailable' }] },
    'repository',
  ],
  [
    'a repository that agents may only read',
    { ...linked, resources: [{ ...repository, permission: 'ro' }] },
    'repository',
  ],
  ['a repository', linked, 'mission'],
  [
    'a mission that says nothing',
    { ...written, objectives: [{ ...objective, instruction: ' ' }] },
    'mission',
  ],
  ['a mission', written, 'launch'],
  ['a launch', { ...written, objectives: [{ ...objective, state: 'launching' }] }, 'watch'],
  ['a delivery', { ...written, objectives: [{ ...objective, state: 'complete' }] }, 'review'],
  [
    'a delivery of a runner that has gone',
    { ...written, runners: [], resources: [], objectives: [{ ...objective, state: 'complete' }] },
    'review',
  ],
  [
    'a mission that was accepted',
    {
      ...written,
      mission: { ...mission, phase: 'complete' },
      objectives: [{ ...objective, state: 'complete' }],
    },
    undefined,
  ],
])('a workspace with %s goes on with the step that is next', (_what, known, next) => {
  expect(nextOf(known)).toBe(next)
})
