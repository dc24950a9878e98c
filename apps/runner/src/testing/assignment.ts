import { noBudget, noUsage } from '@svc/contracts/usage'
import { randomUUID } from 'node:crypto'
import type { Assignment } from '@svc/contracts/assignment'

const at = '2026-11-01T10:00:00.000Z'

/** Id of the runner that the assignments are for. */
export const thisRunner = '0190a000-0000-7000-8000-00000000000a'

interface Wanted {
  agent?: string
  resourceKey?: string | null
  generation?: number
  activeBranch?: string | null
  missionId?: string
  objectiveId?: string
  projectId?: string
  title?: string
  useWorktrees?: boolean
  missionUsesWorktrees?: boolean
  maxRuntimeMinutes?: number | null
  launchSettings?: Partial<Assignment['launchSettings']>
  /** What the launch took of them, where they were others then. */
  frozen?: { preCommand?: string; flags?: string[] }
  /** The default branch of the resource. */
  defaultBranch?: string
  branches?: Partial<Assignment['branches']>
  /** Other live requests on the same resource, older than this one. */
  olderSiblings?: number
  model?: string
  /** The agent's own id of the conversation that it goes on with. */
  resumed?: string
  /** Other live requests of the mission. */
  siblings?: readonly { id: string }[]
}

/** An assignment as a claim answers it, of a mission `web:7`. */
export function makeAssignment(wanted: Wanted = {}): Assignment {
  const projectId = wanted.projectId ?? randomUUID()
  const missionId = wanted.missionId ?? randomUUID()
  const objectiveId = wanted.objectiveId ?? randomUUID()
  const resourceKey = wanted.resourceKey ?? null
  const agent = wanted.agent ?? 'shell'
  const frozen = {
    preCommand: wanted.launchSettings?.preCommand,
    flags: wanted.launchSettings?.agentFlags?.[agent],
    ...wanted.frozen,
  }
  const settings = <T>(value: T) => ({ value, source: 'default' as const })
  return {
    executionRequest: {
      id: randomUUID(),
      projectId,
      missionId,
      objectiveId,
      kind: 'run',
      status: 'claimed',
      outcome: null,
      source: 'cli',
      agent,
      resourceKey,
      onlyRunner: null,
      config: {
        agent: settings(agent),
        model: settings(wanted.model ?? null),
        reasoningEffort: settings(null),
        preCommand: settings(frozen.preCommand ?? null),
        flags: settings(frozen.flags ?? []),
      },
      attempt: 1,
      generation: wanted.generation ?? 1,
      runnerId: thisRunner,
      runnerLabel: null,
      sessionId: null,
      workedOnSince: false,
      goneOn: false,
      refusedFor: null,
      progress: null,
      workingDirectory: null,
      branch: null,
      baseSha: null,
      otherBranches: [],
      warnings: [],
      failure: null,
      lastRelease: null,
      exit: null,
      usage: null,
      seconds: null,
      runAfter: at,
      leaseExpiresAt: at,
      attachBy: null,
      cancelRequestedAt: null,
      createdAt: at,
      updatedAt: at,
      endedAt: null,
    },
    mission: {
      id: missionId,
      displayId: 'web:7',
      projectId,
      title: wanted.title ?? 'Add a greeting',
      status: { id: randomUUID(), type: 'execute', label: 'In progress' },
      phase: 'execute',
      priority: 'normal',
      active_branch: wanted.activeBranch ?? null,
      allowParallelObjectives: false,
      auto_advance: false,
      useWorktrees: wanted.missionUsesWorktrees ?? null,
      hasOpenQuestion: false,
      budget: noBudget,
      launches: 1,
      usage: noUsage,
      revision: 1,
      createdAt: at,
      updatedAt: at,
    },
    objective: {
      id: objectiveId,
      displayId: 'web:7.k7qd',
      missionId,
      position: 1,
      title: 'Write the greeting',
      instruction: 'Write a greeting into hello.txt.',
      state: 'launching',
      lastOutcome: null,
      assigned_agent: null,
      model: null,
      reasoning_effort: null,
      resource_key: resourceKey,
      check: null,
      branch: null,
      approvalRefusal: null,
      usage: noUsage,
      revision: 1,
      createdAt: at,
      completedAt: null,
    },
    project: {
      id: projectId,
      slug: 'web',
      name: 'Web',
      defaultBranch: 'main',
      useWorktrees: wanted.useWorktrees ?? true,
      maxRuntimeMinutes: wanted.maxRuntimeMinutes ?? null,
      revision: 1,
      createdAt: at,
    },
    launchSettings: {
      preCommand: null,
      preLaunchCommands: [],
      launchEnvVars: {},
      agentFlags: {},
      pushBranches: false,
      ...wanted.launchSettings,
    },
    resources:
      resourceKey === null
        ? []
        : [
            {
              resourceKey,
              permission: 'rw',
              primary: true,
              state: 'connected',
              path: null,
              ...(wanted.defaultBranch !== undefined && { defaultBranch: wanted.defaultBranch }),
            },
          ],
    siblings: siblingsOf(wanted).map((requestId) => ({
      requestId,
      objectiveId: randomUUID(),
      resourceKey,
      branch: null,
      alsoIn: [],
      createdAt: '2026-11-01T09:00:00.000Z',
    })),
    resume:
      wanted.resumed === undefined ? null : { externalSessionId: wanted.resumed, prepared: null },
    branches: {
      mission: null,
      objective: null,
      delivered: [],
      fromBase: false,
      ...wanted.branches,
    },
  }
}

function siblingsOf({ olderSiblings = 0, siblings = [] }: Wanted): string[] {
  const unnamed = Array.from({ length: olderSiblings }, () => randomUUID())
  return [...unnamed, ...siblings.map(({ id }) => id)]
}
