import { z } from 'zod'
import { ref, row } from './step-row.ts'

/** The steps that no page of the web app takes, most of them done on a machine: it shows a person their command. */
export const terminalSteps = {
  restoreWorkspace: row({}, 'Restore it with', () => 'svc workspace restore', null),
  linkProjectResource: row(
    {},
    'On that machine, name another branch with',
    () => 'svc resource link <project> <path> --base <branch>',
    null,
  ),
  attach: row(
    { objectiveId: ref.optional(), takeOver: z.literal(true).optional() },
    'Attach with',
    ({ objectiveId, takeOver }) =>
      [
        'svc protocol attach --agent <agent>',
        ...(objectiveId === undefined ? [] : ['--objective-id', objectiveId]),
        ...(takeOver ? ['--take-over'] : []),
      ].join(' '),
    'svc_attach_session',
  ),
  ask: row(
    { questionId: ref },
    'Wait for its answer with',
    ({ questionId }) => `svc protocol ask --question-id ${questionId} --wait`,
    'svc_update_session',
  ),
  connectResource: row(
    { resourceKey: ref },
    'On that machine',
    ({ resourceKey }) =>
      `svc resource link <project> <path> --key ${resourceKey} && svc runner start`,
    { onMachine: 'project:update' },
  ),
  trustLaunchSettings: row(
    // its runner was started with --runner-home, which nobody else is to know
    { project: ref, ownHome: z.literal(true).optional() },
    'On the machine of the runner, look at them and trust them with',
    ({ project, ownHome }) =>
      `svc runner trust ${project}${ownHome ? ' --runner-home <folder of that runner>' : ''}`,
    { onMachine: 'execution_request:claim' },
  ),
  retryAgent: row(
    { agent: ref },
    'To try it sooner, on the machine of that runner',
    ({ agent }) => `svc runner agents retry ${agent}`,
    { onMachine: 'execution_request:claim' },
  ),
  pushBranch: row(
    { id: ref, resourceKey: ref },
    'On the machine of that runner, push it with',
    ({ id, resourceKey }) => `svc review ${id} --resource ${resourceKey} --push`,
    { onMachine: 'mission:read' },
  ),
  installVersion: row(
    { version: ref },
    'Install that of the service on this machine with',
    ({ version }) => `npm install --global svc-${version}.tgz`,
    { onMachine: 'mission:read' },
  ),
}
