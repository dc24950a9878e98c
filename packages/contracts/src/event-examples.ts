import type { CarriedPart } from './events.ts'
import { type FullEnvelope, type ThinEnvelope, webhookApiVersion } from './webhook-envelope.ts'

type Carried<E> = { [Part in CarriedPart]: Part extends keyof E ? NonNullable<E[Part]> : never }

const ids = {
  event: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e01',
  workspace: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e02',
  project: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e03',
  mission: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e04',
  objective: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e05',
  session: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e06',
  delivery: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e07',
  status: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e08',
  entry: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e09',
  queue: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e0a',
  run: '0198f2a4-6d10-7b52-9c3e-4a1f0d2b7e0b',
}
const path = `/api/missions/${ids.mission}`

const identity = {
  id: ids.event,
  apiVersion: webhookApiVersion,
  occurredAt: '2026-11-01T12:00:00.000Z',
  sequence: 4821,
  links: {
    mission: path,
    events: `${path}/events`,
    fileChanges: `${path}/file-changes`,
    artifacts: `${path}/artifacts`,
  },
} as const

const mission = {
  id: ids.mission,
  displayId: 'web:12',
  priority: 'normal',
  revision: 7,
} as const

const thinParts: Carried<ThinEnvelope> = {
  objective: {
    id: ids.objective,
    position: 1,
    title: 'Add a switch for the dark mode',
    state: 'complete',
  },
  session: { id: ids.session, agentIdentifier: 'claude', modelIdentifier: null },
  delivery: { id: ids.delivery },
  queue: { id: ids.queue },
  run: { id: ids.run },
}

const fullParts: Carried<FullEnvelope> = {
  ...thinParts,
  delivery: {
    id: ids.delivery,
    summary: 'Added the switch; all tests pass.',
    report: {
      schemaVersion: 1,
      agentReport: {
        humanActions: [{ action: 'Choose the colour of links', blocking: false }],
        tradeoffsMade: [],
        risks: [],
        deferredWork: [],
        assumptions: [],
      },
      presentation: { status: 'deterministic', markdown: 'Added the switch; all tests pass.' },
    },
    artifacts: [
      { type: 'next_steps', label: 'Next steps', content: 'Choose the colour of links.' },
    ],
    checks: {
      outcome: 'passed',
      reason: null,
      commit: '6f1ed002ab5595859014ebf0951522d9a6d0a3f1',
      dirty: false,
      changed: false,
      checkedAt: '2026-11-01T11:59:58.000Z',
      attempts: 1,
      results: [
        { name: 'test', outcome: 'passed', exitCode: 0, seconds: 12.4, output: '214 passed' },
      ],
    },
  },
  queue: { id: ids.queue, name: 'Night', reason: 'run_failed' },
  run: { id: ids.run, agent: 'claude', reason: 'The agent ended without a delivery' },
}

// the keys of the table above; Object.keys only says string
export const carriedParts = Object.keys(thinParts) as CarriedPart[]

/** A payload of this type in each mode, as a consumer gets it. */
export function exampleEnvelopes(type: string, carries: readonly CarriedPart[]) {
  const partsOf = (parts: Record<CarriedPart, object>) =>
    Object.fromEntries(carries.map((part) => [part, parts[part]]))
  return {
    thin: {
      ...identity,
      type,
      workspace: { id: ids.workspace },
      project: { id: ids.project },
      mission,
      ...partsOf(thinParts),
    },
    full: {
      ...identity,
      type,
      workspace: { id: ids.workspace, name: 'Acme' },
      project: { id: ids.project, name: 'Web' },
      mission: { ...mission, ...missionDetails },
      ...partsOf(fullParts),
      ...fullDetails,
    },
  }
}

const missionDetails = {
  title: 'Dark mode',
  status: { id: ids.status, type: 'review', label: 'In review' },
  createdAt: '2026-11-01T09:30:00.000Z',
}

const fullDetails: Pick<FullEnvelope, 'changedFiles' | 'changeRationales' | 'missionEvents'> = {
  changedFiles: [{ filePath: 'src/theme.ts', vcsStatus: 'modified' }],
  changeRationales: [
    {
      filePath: 'src/theme.ts',
      label: 'A theme of one’s own',
      summary: 'Adds the dark palette and the switch between both.',
      why: 'The palette stood in every component.',
      impact: 'Components read colours from the theme.',
    },
  ],
  missionEvents: [
    {
      id: ids.entry,
      type: 'delivery',
      summary: 'claude delivered the work',
      createdAt: '2026-11-01T12:00:00.000Z',
    },
  ],
}
