import type { Rights } from '@svc/contracts/rights'
import { splitWords } from '@svc/contracts/shell-words'
import { homeAt } from '../files/home.ts'
import type { RunOrder } from '../run/order.ts'
import { LaunchFailure } from '../launch-failure.ts'
import type { PreparedRun } from '../supervisor/prepare.ts'
import { agentArguments, refuseOptions, shownArguments } from './argv.ts'
import { type LaunchFacts, agentEnvironment, launchCatalog, shownVariables } from './environment.ts'
import { fillCommand } from './placeholders.ts'
import { resumedSession } from './resumed-session.ts'
import { rightsOfRun } from './rights.ts'

/** All that the spawn needs, decided before anything is started. */
export interface LaunchPlan {
  file: string
  arguments: string[]
  /** As they may be shown, the command in front. */
  argvShown: string[]
  workingDirectory: string
  /** What the agent may do without being asked. */
  rights: Rights
  said: Said
  /** The agent's own id of its conversation, where it is known before it starts. */
  externalSessionId: string | undefined
  environment: Record<string, string>
  /** What the runner sets and the project adds, as it may be shown. */
  variablesShown: Record<string, string>
  preLaunchCommands: string[]
}

/** What an agent that is spoken with is told, and what is known where it asks. */
export interface Said {
  briefing: string
  /**
   * The first message of a new conversation, and that of one that is continued. Which is sent is decided when the agent says
   * what it can do.
   */
  begins: string
  goesOn: string
  model: string | null
  effort: string | null
  /** Its working trees in other resources. */
  otherFolders: string[]
  /** What was asked last in this objective, where the answer to that has started the run. */
  answered: { question: string; answer: string } | undefined
}

/** What of an order a plan is made from. */
export type PlannedOrder = Pick<
  RunOrder,
  'assignment' | 'agent' | 'agentToken' | 'checkouts' | 'home' | 'maxRights' | 'serviceUrl'
>

/** What of the preparation it is made from. */
export interface Ready extends Pick<
  PreparedRun,
  'tmpDirectory' | 'contextFile' | 'briefing' | 'gitFolder' | 'otherGitFolders'
> {
  prepared: {
    workingDirectory: string
    others: readonly { workingDirectory: string }[]
  }
  context: Pick<PreparedRun['context'], 'projectResources' | 'questions'>
}

/** Pure: the order, what was prepared, what is inherited, and the id that a new conversation of the agent may get. */
export function planLaunch(
  order: PlannedOrder,
  ready: Ready,
  inherited: NodeJS.ProcessEnv,
  newSessionId: string,
): LaunchPlan {
  const { launchSettings, executionRequest } = order.assignment
  const { config } = executionRequest
  const { adapter, command } = requireAgent(order)
  const resumed = resumedSession(order)
  const catalog = launchCatalog(factsOf(order, ready))
  const { rights } = rightsOfRun(order)
  const input = {
    model: config.model.value,
    effort: config.reasoningEffort.value,
    flags: config.flags.value,
    rights,
    allowedCommands: launchSettings.allowedCommands ?? [],
    contextFile: ready.contextFile,
    briefing: ready.briefing,
    cwd: ready.prepared.workingDirectory,
    gitFolder: ready.gitFolder,
    otherFolders: ready.prepared.others.map(({ workingDirectory }) => workingDirectory),
    otherGitFolders: ready.otherGitFolders,
    sessionId: resumed ?? newSessionId,
    isResumed: resumed !== undefined,
    message: firstMessage(order, ready, resumed !== undefined),
  }
  const prefix = [...splitWords(config.preCommand.value ?? ''), ...command]
  const [file = '', ...before] = prefix
  return {
    file,
    arguments: [...before, ...agentArguments(adapter, input)],
    argvShown: [...prefix, ...shownArguments(adapter, input)],
    workingDirectory: ready.prepared.workingDirectory,
    rights,
    said: {
      briefing: ready.briefing,
      begins: firstMessage(order, ready, false),
      goesOn: firstMessage(order, ready, true),
      model: input.model,
      effort: input.effort,
      otherFolders: input.otherFolders,
      answered: answeredBefore(order, ready),
    },
    externalSessionId: resumed ?? (adapter.sessionId === 'preassigned' ? newSessionId : undefined),
    environment: agentEnvironment(
      withAgentToken(inherited, order),
      homeAt(order.home),
      catalog,
      launchSettings.launchEnvVars,
    ),
    variablesShown: shownVariables(catalog, launchSettings.launchEnvVars),
    preLaunchCommands: launchSettings.preLaunchCommands.map((line) => fillCommand(line, catalog)),
  }
}

/** A token that was made for the run stands in place of the runner's own, which then is nowhere in it. */
function withAgentToken(
  inherited: NodeJS.ProcessEnv,
  { agentToken }: PlannedOrder,
): NodeJS.ProcessEnv {
  return agentToken === null ? inherited : { ...inherited, SVC_USER_TOKEN: agentToken }
}

function factsOf(order: PlannedOrder, ready: Ready): LaunchFacts {
  const { mission, objective, executionRequest } = order.assignment
  return {
    missionId: mission.id,
    objectiveId: objective.displayId,
    backendUrl: order.serviceUrl,
    executionRequestId: executionRequest.id,
    generation: executionRequest.generation,
    workingDirectory: ready.prepared.workingDirectory,
    contextFile: ready.contextFile,
    tmpDirectory: ready.tmpDirectory,
    resources: ready.context.projectResources,
    currentResource: executionRequest.resourceKey,
  }
}

function answeredBefore({ assignment }: PlannedOrder, { context }: Ready): Said['answered'] {
  if (assignment.executionRequest.source !== 'answer') return undefined
  const [last] = context.questions.toSorted((one, other) => (one.askedAt < other.askedAt ? 1 : -1))
  return last && last.answer !== null ? { question: last.question, answer: last.answer } : undefined
}

function firstMessage(
  { assignment }: PlannedOrder,
  { contextFile }: Ready,
  isResumed: boolean,
): string {
  const { displayId } = assignment.objective
  const context = `${contextFile} (also in $SVC_CONTEXT_FILE)`
  if (isResumed) {
    const isAnswered = assignment.executionRequest.source === 'answer'
    const why = isAnswered
      ? `Your question was answered: what attach replies has the whole answer in \`pendingAnswers\`. ${context} tells what else happened.`
      : `Your run had ended without a delivery, and goes on now: ${context} tells what happened.`
    return `${why} Call svc protocol attach again, then go on with objective ${displayId}.`
  }
  if (assignment.resume !== null) {
    return `Read ${context} and go on with objective ${displayId} now: what was done of it is in this folder.`
  }
  return `Read ${context} and start on objective ${displayId} now.`
}

/** What can be refused before anything is fetched. */
export function refuseUnstartable(order: PlannedOrder): void {
  requireAgent(order)
  const { model, reasoningEffort, flags } = order.assignment.executionRequest.config
  refuseOptions({ model: model.value, effort: reasoningEffort.value, flags: flags.value })
}

function requireAgent(order: PlannedOrder): NonNullable<RunOrder['agent']> {
  if (order.agent !== null) return order.agent
  const { agent } = order.assignment.executionRequest
  throw new LaunchFailure(
    'agent_not_found',
    `Agent ${agent} is not on this machine: install it, or add it to agents.json of the runner.`,
    'prepare',
  )
}
