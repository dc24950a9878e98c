import { describe, expect, test } from 'vitest'
import { describeTools } from './describe-tool.ts'
import { type ToolName, toolContracts } from './tools.ts'

const listed = describeTools()
const uuid = '0192f0c4-8f3e-7c61-9f0a-3b1f2d4c5e6f'

function accepts(name: ToolName, input: object): boolean {
  return toolContracts[name].input.safeParse(input).success
}

/** For the title of a test that proves what its row says of the arguments of a tool. */
function withRule<T extends { name: ToolName }>(row: T) {
  return { ...row, rule: `tool.${row.name}.schema` }
}

describe('ids', () => {
  const scoped: [ToolName, object][] = [
    ['svc_load_mission_context', {}],
    ['svc_list_deliveries', {}],
    ['svc_add_objectives', { objectives: [{ instruction: 'x' }] }],
    ['svc_update_session', { text: 'x' }],
    ['svc_deliver_session', { summary: 'x' }],
    ['svc_add_artifact', { type: 'next_steps', label: 'x', contentText: 'x' }],
    ['svc_update_artifact', { artifactId: uuid, expectedRevision: 1, label: 'x' }],
  ]

  test.each(scoped)(
    '%s takes objectiveId in both spellings beside missionId [args.objective-beside-mission]',
    (name, rest) => {
      expect(accepts(name, { ...rest, missionId: 'web:1', objectiveId: uuid })).toBe(true)
      expect(accepts(name, { ...rest, missionId: uuid, objectiveId: 'web:1.k7qd' })).toBe(true)
    },
  )

  test.each(scoped)(
    "%s needs no missionId beside an objective's display id [args.display-id-alone]",
    (name, rest) => {
      expect(accepts(name, { ...rest, objectiveId: 'web:1.k7qd' })).toBe(true)
    },
  )

  test.each(scoped)(
    '%s needs missionId beside the UUID of an objective [args.uuid-needs-mission-id]',
    (name, rest) => {
      expect(accepts(name, { ...rest, objectiveId: uuid })).toBe(false)
      expect(accepts(name, rest)).toBe(false)
    },
  )

  const primary: [ToolName, object][] = [
    ['svc_launch_objective', { agent: 'claude' }],
    ['svc_update_objective', { instruction: 'x' }],
    ['svc_queue_objective', {}],
  ]

  test.each(primary)(
    '%s requires objectiveId, and either spelling alone will do [args.primary-objective-id] [args.primary-display-id-enough]',
    (name, rest) => {
      expect(accepts(name, { ...rest, missionId: 'web:1' })).toBe(false)
      expect(accepts(name, { ...rest, objectiveId: 'web:1.k7qd' })).toBe(true)
      expect(accepts(name, { ...rest, objectiveId: uuid })).toBe(true)
    },
  )
})

describe('the arguments', () => {
  const missionFields = ['allowParallelObjectives', 'auto_advance', 'priority', 'title']
  const own: { name: ToolName; given: string[]; input: object }[] = [
    { name: 'svc_resolve_project', given: ['query'], input: {} },
    { name: 'svc_create_project', given: ['name', 'slug'], input: { name: 'Web' } },
    { name: 'svc_list_project_statuses', given: ['projectId'], input: { projectId: 'web' } },
    {
      name: 'svc_search_missions',
      given: ['cursor', 'limit', 'projectId', 'query', 'statusTypes'],
      input: { statusTypes: ['review'] },
    },
    {
      name: 'svc_create_mission',
      given: [...missionFields, 'objectives', 'projectId'],
      input: { projectId: 'web', title: 'x' },
    },
    { name: 'svc_create_inbox_item', given: ['text', 'title'], input: { title: 'x' } },
    {
      name: 'svc_add_objectives',
      given: ['missionId', 'objectiveId', 'objectives'],
      input: { missionId: 'web:1', objectives: [{ instruction: 'x' }] },
    },
  ]

  test.each(own.map(withRule))(
    'of $name are in the list, with what it answers and its hints [$rule]',
    ({ name, given, input }) => {
      const tool = listed.find((one) => one.name === name)
      expect(Object.keys(tool?.inputSchema['properties'] ?? {}).toSorted()).toEqual(
        given.toSorted(),
      )
      expect(accepts(name, input)).toBe(true)
      const answered = Object.keys(toolContracts[name].output.shape)
      expect(Object.keys(tool?.outputSchema['properties'] ?? {})).toEqual(answered)
      const { readOnly } = toolContracts[name].hints
      expect(tool?.annotations).toMatchObject({ readOnlyHint: readOnly, destructiveHint: false })
    },
  )

  test('of a reading are a mission, an objective or both [tool.svc_load_mission_context.schema]', () => {
    expect(accepts('svc_load_mission_context', { missionId: 'web:1' })).toBe(true)
    expect(accepts('svc_load_mission_context', { objectiveId: 'web:1.k7qd' })).toBe(true)
    const both = { missionId: 'web:1', objectiveId: 'web:1.k7qd' }
    expect(accepts('svc_load_mission_context', both)).toBe(true)
    expect(accepts('svc_load_mission_context', {})).toBe(false)
  })

  test("of a list of deliveries are a mission, or an objective's display id [tool.svc_list_deliveries.schema]", () => {
    expect(accepts('svc_list_deliveries', { missionId: 'web:1' })).toBe(true)
    expect(accepts('svc_list_deliveries', { missionId: uuid })).toBe(true)
    expect(accepts('svc_list_deliveries', { objectiveId: 'web:1.k7qd' })).toBe(true)
    expect(accepts('svc_list_deliveries', { objectiveId: uuid })).toBe(false)
    expect(accepts('svc_list_deliveries', {})).toBe(false)
  })

  test('of an order are a mission and objectives, nothing else [tool.svc_reorder_future_objectives.schema]', () => {
    const name = 'svc_reorder_future_objectives'
    const tool = listed.find((one) => one.name === name)
    expect(Object.keys(tool?.inputSchema['properties'] ?? {})).toEqual([
      'missionId',
      'objectiveIds',
    ])
    const order = { missionId: 'web:1', objectiveIds: [uuid] }
    expect(accepts(name, order)).toBe(true)
    expect(accepts(name, { missionId: order.missionId })).toBe(false)
    expect(accepts(name, { objectiveIds: order.objectiveIds })).toBe(false)
    expect(accepts(name, { ...order, objectiveIds: [] })).toBe(false)
    expect(accepts(name, { ...order, objectiveIds: [uuid, 'web:1.k7qd'] })).toBe(true)
    expect(accepts(name, { ...order, objectiveIds: ['web:1'] })).toBe(false)
    expect(accepts(name, { ...order, objectiveId: uuid })).toBe(false)
  })

  test('of work that is recorded may hold changeRationales [tool.svc_record_work.schema]', () => {
    const work = { missionId: 'web:1', summary: 'x' }
    expect(accepts('svc_record_work', work)).toBe(true)
    const changeRationales = [
      { filePath: 'a.ts', label: 'l', summary: 's', why: 'w', impact: 'i' },
      { filePath: 'b.ts', nobody_knows: 1 },
    ]
    expect(accepts('svc_record_work', { ...work, changeRationales })).toBe(true)
    expect(accepts('svc_record_work', { ...work, rationales: changeRationales })).toBe(false)
  })

  test('of a launch are objectiveId in either spelling and agent at least [tool.svc_launch_objective.required] [tool.svc_launch_objective.schema]', () => {
    expect(accepts('svc_launch_objective', { objectiveId: 'web:1.k7qd' })).toBe(false)
    expect(accepts('svc_launch_objective', { agent: 'claude' })).toBe(false)
    for (const objectiveId of ['web:1.k7qd', uuid]) {
      expect(accepts('svc_launch_objective', { objectiveId, agent: 'claude' })).toBe(true)
    }
    expect(accepts('svc_launch_objective', { objectiveId: 'web:1', agent: 'claude' })).toBe(false)
  })

  test('of an edit are the instruction or auto_advance, or both, and objectiveId [tool.svc_update_objective.schema]', () => {
    const objectiveId = 'web:1.k7qd'
    expect(accepts('svc_update_objective', { objectiveId })).toBe(false)
    expect(accepts('svc_update_objective', { objectiveId, expectedRevision: 1 })).toBe(false)
    expect(accepts('svc_update_objective', { objectiveId, title: 'x' })).toBe(false)
    const edits = [{ auto_advance: false }, { instruction: 'x' }]
    for (const edit of [...edits, { auto_advance: true, instruction: 'x' }]) {
      expect(accepts('svc_update_objective', { ...edit, missionId: 'web:1' })).toBe(false)
      expect(accepts('svc_update_objective', { ...edit, objectiveId })).toBe(true)
    }
  })

  test('of a list of queues are a project and a view, compact or full [tool.svc_list_run_queues.schema]', () => {
    expect(accepts('svc_list_run_queues', { projectId: 'web' })).toBe(true)
    expect(accepts('svc_list_run_queues', { projectId: 'web', view: 'compact' })).toBe(true)
    expect(accepts('svc_list_run_queues', { projectId: 'web', view: 'full' })).toBe(true)
    expect(accepts('svc_list_run_queues', { projectId: 'web', view: 'all' })).toBe(false)
    expect(accepts('svc_list_run_queues', { view: 'full' })).toBe(false)
  })

  test('of an order are a queue and all of its entries [tool.svc_reorder_run_queue.schema]', () => {
    expect(accepts('svc_reorder_run_queue', { queueId: uuid, orderedEntryIds: [uuid] })).toBe(true)
    expect(accepts('svc_reorder_run_queue', { queueId: uuid })).toBe(false)
    expect(accepts('svc_reorder_run_queue', { orderedEntryIds: [uuid] })).toBe(false)
  })

  test('of queueing are the objective, and a queue, one position, or remove [tool.svc_queue_objective.schema]', () => {
    const objectiveId = 'web:1.k7qd'
    const positions = [{ after: uuid }, { front: true }, { position: 2 }, { queue: 'Night' }]
    for (const more of [...positions, { remove: true }, {}]) {
      expect(accepts('svc_queue_objective', { objectiveId, ...more })).toBe(true)
      expect(accepts('svc_queue_objective', more)).toBe(false)
    }
    expect(accepts('svc_queue_objective', { objectiveId, front: true, position: 1 })).toBe(false)
    expect(accepts('svc_queue_objective', { objectiveId, position: 0 })).toBe(false)
  })

  test('of managing queues begin with the action, which says what else is needed [tool.svc_manage_run_queue.schema]', () => {
    const whole: [string, object][] = [
      ['create', { projectId: 'web', name: 'Night' }],
      ['update', { queueId: uuid, paused: true }],
      ['delete', { queueId: uuid }],
      ['reorder_queues', { projectId: 'web', queueIds: [uuid] }],
      ['retry_entry', { entryId: uuid }],
    ]
    for (const [action, needed] of whole) {
      expect(accepts('svc_manage_run_queue', { action, ...needed })).toBe(true)
      for (const left of Object.keys(needed)) {
        const less = { ...needed, [left]: undefined }
        expect(accepts('svc_manage_run_queue', { action, ...less })).toBe(false)
      }
    }
    expect(accepts('svc_manage_run_queue', { action: 'start', queueId: uuid })).toBe(false)
    expect(accepts('svc_manage_run_queue', { queueId: uuid })).toBe(false)
  })

  test('of what changes a queue come with the advice to look first [tool.svc_list_run_queues.before-mutation]', () => {
    const changing = [
      'svc_reorder_run_queue',
      'svc_queue_objective',
      'svc_manage_run_queue',
    ] as const
    for (const name of changing) {
      expect(toolContracts[name].description).toContain('svc_list_run_queues')
    }
    expect(toolContracts.svc_list_run_queues.description).toContain('before any change')
  })

  test('of an attach may have an objective [tool.svc_attach_session.schema]', () => {
    const agent = { agentIdentifier: 'cloud' }
    expect(accepts('svc_attach_session', { ...agent, objectiveId: 'web:1.k7qd' })).toBe(true)
    expect(accepts('svc_attach_session', { ...agent, objectiveId: uuid, missionId: uuid })).toBe(
      true,
    )
    expect(accepts('svc_attach_session', { ...agent, missionId: 'web:1' })).toBe(true)
  })

  test('of an artifact are type, label, and a text or a link [tool.svc_add_artifact.schema]', () => {
    const whole = { type: 'link', label: 'x', contentText: 'x', externalUrl: 'https://a.example' }
    const add = (left: (keyof typeof whole)[]) => {
      const given = Object.entries(whole).filter(([key]) => !(left as string[]).includes(key))
      return accepts('svc_add_artifact', { ...Object.fromEntries(given), missionId: 'web:1' })
    }
    expect([add([]), add(['contentText']), add(['externalUrl'])]).toEqual([true, true, true])
    expect([add(['type']), add(['label'])]).toEqual([false, false])
    expect(add(['contentText', 'externalUrl'])).toBe(false)
  })

  test('of a revision are the artifact, the revision that was read, and a change [tool.svc_update_artifact.schema]', () => {
    const named = { artifactId: uuid, expectedRevision: 1, missionId: 'web:1' }
    const changes = [{ label: 'x' }, { contentText: 'x' }, { externalUrl: 'https://a.example' }]
    for (const change of changes) {
      expect(accepts('svc_update_artifact', { ...named, ...change })).toBe(true)
    }
    expect(accepts('svc_update_artifact', named)).toBe(false)
    const { artifactId: _artifact, ...nameless } = named
    expect(accepts('svc_update_artifact', { ...nameless, label: 'x' })).toBe(false)
    const { expectedRevision: _revision, ...blind } = named
    expect(accepts('svc_update_artifact', { ...blind, label: 'x' })).toBe(false)
  })

  test.each(['sess_abc', 'web:1.k7qd'])(
    'of an artifact may name its mission by sessionKey %s alone',
    (sessionKey) => {
      expect(
        accepts('svc_add_artifact', {
          type: 'link',
          label: 'x',
          externalUrl: 'https://a.example',
          sessionKey,
        }),
      ).toBe(true)
    },
  )

  const cases: { name: ToolName; rest: object }[] = [
    { name: 'svc_update_session', rest: { text: 'x' } },
    { name: 'svc_deliver_session', rest: { summary: 'x' } },
  ]

  test.each(cases.map(withRule))(
    'of $name may have changeRationales, a bad one of which is a warning and no refusal [$rule]',
    ({ name, rest }) => {
      const input = { ...rest, sessionKey: 's' }
      const [good, bad] = [{ filePath: 'a.ts' }, { filePath: 'a.ts', nobody_knows: 1 }]
      expect(accepts(name, input)).toBe(true)
      expect(accepts(name, { ...input, changeRationales: [good] })).toBe(true)
      expect(accepts(name, { ...input, changeRationales: [bad, 7, null] })).toBe(true)
      const tool = listed.find((one) => one.name === name)
      expect(tool?.inputSchema).toMatchObject({
        properties: { changeRationales: { type: 'array' } },
      })
    },
  )
})

describe('arguments that say nothing together', () => {
  const queueId = uuid
  test.each([
    ['create', { action: 'create', projectId: 'web', name: 'Night' }, { queueId }],
    ['update', { action: 'update', queueId, paused: true }, { queueIds: [uuid] }],
    ['delete', { action: 'delete', queueId, moveEntriesTo: uuid }, { paused: true }],
    [
      'reorder_queues',
      { action: 'reorder_queues', projectId: 'web', queueIds: [uuid] },
      { queueId },
    ],
    ['retry_entry', { action: 'retry_entry', entryId: uuid }, { name: 'Night' }],
  ])('are refused where queues are managed: %s', (_, input, more) => {
    expect(accepts('svc_manage_run_queue', input)).toBe(true)
    expect(accepts('svc_manage_run_queue', { ...input, ...more })).toBe(false)
  })

  test('are refused where a queue is updated with nothing', () => {
    expect(accepts('svc_manage_run_queue', { action: 'update', queueId })).toBe(false)
  })

  test.each([{ queue: 'Night' }, { after: 'web:1.k7qd' }, { front: true }, { position: 1 }])(
    'are refused where what is taken out of its queue is given a position: %j',
    (position) => {
      const input = { objectiveId: 'web:1.k7qd' }
      expect(accepts('svc_queue_objective', { ...input, ...position })).toBe(true)
      expect(accepts('svc_queue_objective', { ...input, remove: false, ...position })).toBe(true)
      expect(accepts('svc_queue_objective', { ...input, remove: true })).toBe(true)
      expect(accepts('svc_queue_objective', { ...input, remove: true, ...position })).toBe(false)
    },
  )
})
