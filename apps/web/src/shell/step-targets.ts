import type { AdvisedStep } from '@svc/contracts/advised-step'
import type { NextStep, StepName } from '@svc/contracts/next-step'
import { terminalSteps } from '@svc/contracts/terminal-steps'
import { type RouteKey, type RouteParams, pathTo } from './routes.ts'

/** Where a step leads: a page, which may open one of its actions (`do` in its address), or a command for a terminal. */
export type StepTarget =
  | { label: string; path: string; command?: never }
  | { label: string; command: string; path?: never }

type Params<N extends StepName> = NextStep<N>['params']
type TerminalStep = keyof typeof terminalSteps
type PageStep = Exclude<StepName, TerminalStep>
type Row<N extends PageStep> = (params: Params<N>) => Page

interface Page {
  label: string
  path: string
}

function page<K extends RouteKey>(
  label: string,
  key: K,
  params: RouteParams<K>,
  search: Readonly<Record<string, string | undefined>> = {},
): Page {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { label, path: pathTo(key, params, Object.fromEntries(given)) }
}

const atMission = (label: string, mission: string, action?: string) =>
  page(label, 'mission', { mission }, { do: action })
const atObjective = (label: string, objective: string, action?: string) =>
  page(label, 'objective', { objective }, { do: action })
const atProject = (label: string, project: string | undefined) =>
  project === undefined ? page(label, 'projects', {}) : page(label, 'board', { project })
const atQueues = (label: string, project: string | undefined, queue?: string) =>
  project === undefined
    ? page(label, 'projects', {})
    : page(label, 'queues', { project }, { queue })
const missionOr = (label: string, id: string | undefined) =>
  id === undefined ? page(label, 'projects', {}) : atMission(label, id)

/** Each step that the service may name, as a page of the app takes it. A new one that is neither here nor in `terminalSteps` does not compile. */
const targets: { readonly [N in PageStep]: Row<N> } = {
  listProjects: () => page('Projects', 'projects', {}),
  listProjectStatuses: ({ id }) => atProject('Its board', id),
  listProjectResources: ({ id }) =>
    id === undefined
      ? page('Projects', 'projects', {})
      : page('Its resources', 'projectSettings', { project: id }, { part: 'resources' }),
  listMissions: () => page('Missions', 'search', {}),
  listDeletedMissions: () => page('Deleted missions', 'search', {}, { deleted: '1' }),
  listDeletedObjectives: ({ id }) => missionOr('Deleted objectives', id),
  getMission: ({ id }) => missionOr('Its mission', id),
  updateMission: ({ id, budget }) =>
    atMission(budget ? 'Set its budget' : 'Let its objectives run together', id, 'edit'),
  listArtifacts: ({ id }) => missionOr('Its artifacts', id),
  listAttachments: ({ id }) =>
    id === undefined ? page('Projects', 'projects', {}) : atObjective('Its attachments', id),
  addObjectives: ({ id }) => atMission('Add an objective', id, 'add-objective'),
  getObjective: ({ id }) => atObjective('Read it again', id),
  updateObjective: ({ id, assigned_agent: agent, resource_key: resource }) => {
    if (agent !== undefined) return atObjective('Name its agent', id, 'agent')
    if (resource !== undefined) return atObjective('Name its resource', id, 'resource')
    return atObjective('Edit it', id, 'edit')
  },
  launchObjective: ({ id: objective, ...choice }) =>
    objective === undefined
      ? page('Projects', 'projects', {})
      : page('Launch it', 'objective', { objective }, { do: 'launch', ...choice }),
  resumeObjective: ({ id }) => atObjective('Go on with it', id, 'resume'),
  listExecutionRequests: ({ objectiveId }) =>
    page('Its runs', 'runs', {}, { objective: objectiveId }),
  getExecutionRequest: ({ id }) => page('The run', 'run', { run: id }),
  cancelExecutionRequest: ({ id }) => page('Cancel it', 'run', { run: id }, { do: 'cancel' }),
  cancelObjective: ({ id }) => atObjective('Call it off', id, 'cancel'),
  deleteMissions: ({ missionIds }) =>
    page('Look at the list', 'search', {}, { do: 'delete', missions: missionIds }),
  restoreMission: ({ id }) => page('Restore it', 'search', {}, { deleted: '1', restore: id }),
  deleteObjectives: ({ objectiveIds }) =>
    atObjective('Look at the list', objectiveIds.split(' ')[0] ?? '', 'delete'),
  restoreObjective: ({ id }) => atObjective('Restore it', id, 'restore'),
  moveMission: ({ id }) => atMission('Move it', id, 'move'),
  acceptMission: ({ id }) => page('Accept it', 'review', { mission: id }),
  askForChanges: ({ id }) => page('Ask for changes', 'review', { mission: id }, { do: 'changes' }),
  listDeliveries: ({ id }) => page('Read what was delivered', 'review', { mission: id }),
  listMissionEvents: ({ id }) => atMission('Follow it', id),
  listRunQueues: ({ id }) => atQueues('Its run queues', id),
  queueObjective: ({ objectiveId }) => atObjective('Queue it again', objectiveId, 'queue'),
  startRunQueue: ({ project, queue }) => atQueues('Launch its first', project, queue),
  resumeRunQueue: ({ project, queue }) => atQueues('Let it go on', project, queue),
  retryRunQueueEntry: ({ objective }) => atObjective('Try it again', objective, 'retry'),
  listRunners: () => page('Runners', 'runners', {}),
  listUserTokens: () => page('Your tokens', 'access', {}, { tab: 'tokens' }),
  listInvitations: () => page('Invitations', 'access', {}, { tab: 'invitations' }),
  listMembers: () => page('Members', 'access', {}),
  listWorkspaceTokens: () => page('Tokens', 'access', {}, { tab: 'all-tokens' }),
  listConnectedApplications: () => page('Applications', 'access', {}, { tab: 'applications' }),
  createUserToken: ({ label, preset }) =>
    page('Create one in its place', 'access', {}, { tab: 'tokens', do: 'create', label, preset }),
  listInboxItems: () => page('Your inbox', 'inbox', {}),
  listNotifications: () => page('What needs you', 'needs', {}),
  listQuestions: ({ objectiveId }) =>
    objectiveId === undefined
      ? page('Open questions', 'needs', {})
      : atObjective('Its questions', objectiveId),
  answerQuestion: ({ id, objective }) =>
    objective === undefined
      ? page('Answer it', 'needs', {}, { question: id })
      : page('Answer it', 'objective', { objective }, { do: 'answer', question: id }),
  listWebhooks: () => page('Webhooks', 'webhooks', {}),
  listWebhookDeliveries: ({ id }) =>
    id === undefined
      ? page('Webhooks', 'webhooks', {})
      : page('Its log', 'webhook', { webhook: id }),
  enableWebhook: ({ id }) => page('Enable it', 'webhook', { webhook: id }, { do: 'enable' }),
  testWebhook: ({ id }) => page('Send another', 'webhook', { webhook: id }, { do: 'test' }),
}

/** The step as a page takes it, or as a command where only a terminal can. */
export function stepTarget(step: NextStep): StepTarget {
  return isOfTerminal(step) ? asCommand(step) : onPage(step)
}

function isOfTerminal(step: NextStep): step is NextStep<TerminalStep> {
  return Object.hasOwn(terminalSteps, step.operation)
}

function onPage<N extends PageStep>({ operation, params }: NextStep<N>): StepTarget {
  const row: Row<N> = targets[operation]
  return row(params)
}

function asCommand<N extends TerminalStep>({ operation, params }: NextStep<N>): StepTarget {
  const rows: { readonly [K in TerminalStep]: Words<K> } = terminalSteps
  const { purpose, command } = rows[operation]
  return {
    label: typeof purpose === 'string' ? purpose : purpose(params),
    command: command(params),
  }
}

/** Where a page offers what there is to choose, nothing has to be looked up for it elsewhere before. */
export function leadingStep({ next, after }: Pick<AdvisedStep, 'next' | 'after'>): NextStep {
  return after?.operation === 'updateObjective' ? after : next
}

/** The row of a step takes its own parameters. */
interface Words<N extends TerminalStep> {
  purpose: string | ((params: Params<N>) => string)
  command: (params: Params<N>) => string
}
