import { z } from 'zod'
import { LaunchWarning } from '../../execution-request.ts'
import { MissionRef, ObjectiveRef } from '../../ids.ts'
import { restContracts } from '../../rest.ts'
import { type ToolContract, actsOutside } from '../tool-contract.ts'
import { page, truncated } from '../tool-fields.ts'

const { body, answer } = restContracts.launchObjective

export const launchObjective = {
  name: 'svc_launch_objective',
  title: 'Launch an objective',
  description:
    'Queues one run of an objective: a runner starts the named agent on a machine. It does not attach you, and waits for nothing; the same choice again returns the live request with reused, another one replaces a run not yet claimed. Next: svc_load_mission_context to see how it goes.',
  input: body.omit({ resourceKey: true, fromBase: true, runner: true }).extend({
    objectiveId: ObjectiveRef,
    missionId: MissionRef.optional(),
  }),
  // the step that helps stands in the message, in the words of who has tools
  output: answer.extend({
    ...page,
    ...truncated,
    warnings: z.array(LaunchWarning.omit({ next: true })),
  }),
  hints: actsOutside,
  permission: 'execution_request:create',
} as const satisfies ToolContract
