import { type ToolName, type ToolRequest, toolNames } from '@svc/contracts/mcp/tools'
import type { Person } from '@svc/domain/testing/people'
import { rowsLeftBy } from '@svc/testing/rows-left'

import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { connect, test } from './testing/gateway.ts'
import { callsOfAlice } from './testing/tool-calls.ts'

interface Listed {
  id: string
}
const idsOf = (all: readonly Listed[]) => all.map(({ id }) => ({ id }))

/** The same by REST or by the agent protocol. */
const elsewhere: {
  [N in Exclude<ToolName, keyof typeof reading>]: (
    person: Person,
    input: ToolRequest<N>,
  ) => Promise<unknown>
} = {
  svc_create_project: ({ call }, input) => call('createProject', input),
  svc_create_mission: ({ call }, input) => call('createMission', input),
  svc_create_inbox_item: ({ call }, input) => call('createInboxItem', input),
  svc_launch_objective: ({ call }, { objectiveId: id, ...input }) =>
    call('launchObjective', { id, ...input }),
  svc_add_objectives: ({ call }, { missionId: id = '', objectives }) =>
    call('addObjectives', { id, objectives }),
  svc_update_objective: ({ call }, { objectiveId: id, ...input }) =>
    call('updateObjective', { id, ...input }),
  svc_reorder_run_queue: ({ call }, { queueId: id, orderedEntryIds }) =>
    call('orderRunQueueEntries', { id, orderedEntryIds }),
  svc_queue_objective: ({ call }, { objectiveId }) => call('queueObjective', { objectiveId }),
  svc_manage_run_queue: ({ call }, { projectId: id = '', name = '' }) =>
    call('createRunQueue', { id, name }),
  svc_reorder_future_objectives: ({ call }, { missionId: id, objectiveIds }) =>
    call('reorderFutureObjectives', { id, objectiveIds }),
  svc_delete_missions: ({ call }, input) => call('deleteMissions', input),
  svc_delete_objectives: ({ call }, input) => call('deleteObjectives', input),
  svc_attach_session: ({ protocol }, input) => protocol('attach', input),
  svc_update_session: ({ protocol }, input) => protocol('update', input),
  svc_deliver_session: ({ protocol }, input) => protocol('deliver', input),
  svc_record_work: ({ protocol }, input) => protocol('record-work', input),
  svc_add_artifact: ({ protocol }, input) => protocol('add-artifact', input),
  svc_update_artifact: ({ protocol }, input) => protocol('update-artifact', input),
}

/** Tools that change nothing: that part of their answer which the other surfaces answer, too. */
const reading = {
  svc_resolve_project: async ({ call }: Person, input: ToolRequest<'svc_resolve_project'>) => {
    const { project } = await call('resolveProject', input)
    return { project: { id: project?.id } }
  },
  svc_list_project_statuses: (
    { call }: Person,
    { projectId: id }: ToolRequest<'svc_list_project_statuses'>,
  ) => call('listProjectStatuses', { id }).then(({ statuses }) => ({ statuses })),
  svc_search_missions: async (
    { call }: Person,
    { projectId }: ToolRequest<'svc_search_missions'>,
  ) => ({ missions: idsOf((await call('listMissions', { projectId })).missions) }),
  svc_load_mission_context: async (
    { protocol }: Person,
    input: ToolRequest<'svc_load_mission_context'>,
  ) => {
    const { agentInstructions: _ofCommands, ...context } = await protocol('load-context', input)
    return context
  },
  svc_list_deliveries: async (
    { call }: Person,
    { missionId: id = '' }: ToolRequest<'svc_list_deliveries'>,
  ) => ({ deliveries: idsOf((await call('listDeliveries', { id })).deliveries) }),
  svc_list_run_queues: async (
    { call }: Person,
    { projectId: id }: ToolRequest<'svc_list_run_queues'>,
  ) => ({ queues: idsOf((await call('listRunQueues', { id })).queues) }),
}

const isReading = (name: ToolName): name is keyof typeof reading => Object.hasOwn(reading, name)

test(
  verifies(
    ['mcp.calls-services', 'tool.svc_launch_objective.queues', 'tool.safety-annotation'],
    'each hosted tool leaves in the database what the other surfaces leave there, and answers what they answer; it says that it writes where it does',
  ),
  async ({ world, gateway }) => {
    const { alice, domain } = world
    await using client = await connect('modern auto', gateway.url, alice.token)
    const hosted = await callsOfAlice(world)
    const others = await callsOfAlice(world)
    const readOnly = (await client.listTools())
      .filter(({ annotations }) => annotations.readOnlyHint)
      .map(({ name }) => name)
    expect(readOnly.toSorted()).toEqual(Object.keys(reading).toSorted())
    for (const name of toolNames.filter((one) => !isReading(one))) {
      const byTool = await rowsLeftBy(domain.db, async () => {
        const { content, isError } = await client.callTool(name, hosted[name])
        expect([name, isError && content]).toEqual([name, undefined])
      })
      // the input of this very tool, which a generic index cannot show
      const same = elsewhere[name] as (person: Person, input: object) => Promise<unknown>
      const byOther = await rowsLeftBy(domain.db, () => same(alice, others[name]))
      expect(byTool).not.toEqual([])
      expect([name, byOther]).toEqual([name, byTool])
    }
    for (const name of toolNames.filter(isReading)) {
      const same = reading[name] as (person: Person, input: object) => Promise<object> // as above
      const answer = await same(alice, hosted[name])
      const left = await rowsLeftBy(domain.db, async () => {
        const { structuredContent } = await client.callTool(name, hosted[name])
        expect([name, structuredContent]).toMatchObject([name, answer])
      })
      expect([name, left]).toEqual([name, []])
    }
  },
)
