import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../errors.ts'
import { NextStep } from '../next-step.ts'
import { toolStep } from './next-step.ts'
import { invalidArguments, toolError, toolResult } from './tool-result.ts'
import { type ToolName, toolContracts, toolNames } from './tools.ts'

const textOf = (result: { content: { text: string }[] }) => result.content[0]?.text

describe('a tool result', () => {
  test('says the same as text and as structure', () => {
    expect(toolResult({ a: 1 })).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
    })
  })

  test('that is a refusal has a code, a sentence, and no structure', () => {
    const result = toolError(
      new ServiceError('not_found', 'No mission web:9 here.', undefined, {
        next: { operation: 'listMissions', params: {} },
      }),
    )
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'not_found: No mission web:9 here. List them with: svc_search_missions',
        },
      ],
      _meta: { 'svc/error': { code: 'not_found', retryable: false } },
    })
  })

  test('that may succeed later says when', () => {
    const limited = toolError(new ServiceError('rate_limited', 'Wait.', { retryAfterSeconds: 1.2 }))
    expect(limited._meta).toEqual({
      'svc/error': { code: 'rate_limited', retryable: true, retryAfterSeconds: 2 },
    })
  })

  test.each<[NextStep, string]>([
    [{ operation: 'updateObjective', params: { id: 'web:12.k7qd' } }, 'svc_update_objective'],
    [{ operation: 'addObjectives', params: { id: 'web:12' } }, 'svc_add_objectives'],
    [
      { operation: 'listExecutionRequests', params: { objectiveId: 'web:12.k7qd' } },
      'svc_load_mission_context',
    ],
    [{ operation: 'attach', params: {} }, 'svc_attach_session'],
    [{ operation: 'ask', params: { questionId: '0190c9a2' } }, 'svc_update_session'],
  ])('with the step %j names the tool that takes it', (next, tool) => {
    const error = new ServiceError('invalid_transition', 'Not now.', undefined, { next })
    expect(textOf(toolError(error))).toMatch(
      new RegExp(`^invalid_transition: Not now\\. [A-Z][a-z ]+: ${tool}$`),
    )
  })

  test('whose step has no tool tells the command of a person', () => {
    const params = { id: 'web:12', allowParallelObjectives: true } as const
    const next = { operation: 'updateMission', params } as const
    expect(textOf(toolError(new ServiceError('mission_busy', 'Wait.', undefined, { next })))).toBe(
      'mission_busy: Wait. Let its objectives run at the same time with (a person does): svc missions edit web:12 --parallel on',
    )
  })

  test('that asks for confirmation is confirmed with the arguments that it tells', () => {
    const error = new ServiceError('confirmation_required', 'Nothing was deleted.', undefined, {
      next: { operation: 'deleteMissions', params: { missionIds: 'web:1 web:2' } },
    })
    const confirmed = { missionIds: ['web:1', 'web:2'], confirm: true }
    expect(textOf(toolError(error))).toBe(
      `confirmation_required: Nothing was deleted. Once a person has approved this list, confirm it with: svc_delete_missions ${JSON.stringify(confirmed)}`,
    )
    expect(toolContracts.svc_delete_missions.input.safeParse(confirmed).success).toBe(true)
  })

  test('whose step no tool takes names the command of a person', () => {
    const error = new ServiceError('entry_in_flight', 'It runs.', undefined, {
      next: { operation: 'cancelObjective', params: { id: 'web:12.k7qd' } },
    })
    expect(textOf(toolError(error))).toBe(
      'entry_in_flight: It runs. Call it off with (a person does): svc cancel web:12.k7qd',
    )
  })

  test('names a known tool for every step but those that only a person takes', () => {
    const steps = NextStep.options.map(({ shape }) => {
      const params = Object.entries(shape.params.shape).map(([name, type]) => [
        name,
        ['web', true, {}].find((value) => type.safeParse(value).success),
      ])
      return NextStep.parse({
        operation: shape.operation.value,
        params: Object.fromEntries(params),
      })
    })
    const byPeople = steps
      .filter((next) => !toolNames.some((tool) => toolStep(next).match(`: ${tool}( \\{|$)`)))
      .map(({ operation }) => operation)
    expect(byPeople).toEqual([
      'listProjectResources',
      'listDeletedMissions',
      'listDeletedObjectives',
      'updateMission',
      'resumeObjective',
      'cancelExecutionRequest',
      'cancelObjective',
      'restoreMission',
      'restoreObjective',
      'moveMission',
      'acceptMission',
      'askForChanges',
      'startRunQueue',
      'resumeRunQueue',
      'retryRunQueueEntry',
      'listUserTokens',
      'listInvitations',
      'listMembers',
      'listWorkspaceTokens',
      'listConnectedApplications',
      'createUserToken',
      'listInboxItems',
      'listNotifications',
      'listQuestions',
      'answerQuestion',
      'listWebhooks',
      'listWebhookDeliveries',
      'enableWebhook',
      'testWebhook',
      'restoreWorkspace',
      'linkProjectResource',
      'connectResource',
      'trustLaunchSettings',
      'retryAgent',
      'pushBranch',
      'installVersion',
    ])
  })

  const wrong: [ToolName, object, string][] = [
    [
      'svc_add_objectives',
      { missionId: 'web:1', objectives: ['First'] },
      'objectives.0: give an object of instruction, title, assigned_agent, ',
    ],
    [
      'svc_update_session',
      { sessionKey: 's', question: '?', options: ['red'] },
      'options.0: give an object of id, label',
    ],
    [
      'svc_deliver_session',
      { sessionKey: 's', summary: 'x', artifacts: ['Look'] },
      'artifacts.0: give an object of type, label',
    ],
    [
      'svc_deliver_session',
      { sessionKey: 's', summary: 'x', artifacts: [{ type: 'note', label: 'x', name: 'x' }] },
      'artifacts.0.name: this argument is not known here; known are type, label, ',
    ],
    [
      'svc_reorder_future_objectives',
      { missionId: 'web:1', objectiveIds: ['web:1'] },
      'objectiveIds.0: name an objective by its display id, as in web:12.k7qd',
    ],
    [
      'svc_update_artifact',
      { artifactId: crypto.randomUUID(), expectedRevision: 1, label: 'x' },
      'sessionKey',
    ],
    ['svc_add_artifact', { type: 'note', label: 'x', contentText: 'x' }, 'sessionKey'],
  ]

  test.each(wrong)('of wrong arguments of %s says what to give: %j', (name, given, said) => {
    const { input } = toolContracts[name]
    const { message } = invalidArguments({ name, input }, input.safeParse(given).error!)
    expect(message).toContain(said)
  })

  test('of wrong arguments names each of them, and bounded', () => {
    const input = z.strictObject({ title: z.string(), limit: z.int() })
    const refused = (given: unknown) =>
      invalidArguments({ name: 'svc_x', input }, input.safeParse(given).error!).message
    expect(refused({ limit: 'x', mystery: 1 })).toMatch(
      /title: .*; limit: .*; mystery: this argument is not known here\. Correct/,
    )
    expect(refused({ ['k'.repeat(100_000)]: 1 }).length).toBeLessThan(2200)
  })
})
