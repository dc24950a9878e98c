import { pingEventType } from '@svc/contracts/events'
import {
  type FullEnvelope,
  type ThinEnvelope,
  envelopeLimits,
  webhookApiVersion,
} from '@svc/contracts/webhook-envelope'
import { cutToFit } from './cut-to-fit.ts'
import type { EventSnapshot } from './event-snapshot.ts'

export interface EnvelopeFacts {
  type: string
  occurredAt: Date
  sequence: number
  workspace: { id: string; name: string }
  project: { id: string; name: string }
  snapshot: EventSnapshot
}

/** What only a full payload has, and what is read when it is made. */
export interface EnvelopeDetails extends Pick<
  FullEnvelope,
  'changedFiles' | 'changeRationales' | 'missionEvents'
> {
  delivery: FullEnvelope['delivery']
}

type Thin = Omit<ThinEnvelope, 'id'>
type Full = Omit<FullEnvelope, 'id'>

/** spec: Events > Envelope. The id leads the payload and is added when it is sent. */
export function thinEnvelope({ snapshot, ...facts }: EnvelopeFacts): Thin {
  const { id, displayId, priority, revision } = snapshot.mission
  return {
    ...head(facts),
    workspace: { id: facts.workspace.id },
    project: { id: facts.project.id },
    mission: { id, displayId, priority, revision },
    ...carried(snapshot),
    ...(snapshot.delivery && { delivery: { id: snapshot.delivery.id } }),
    ...(snapshot.queue && { queue: { id: snapshot.queue.id } }),
    ...(snapshot.run && { run: { id: snapshot.run.id } }),
    links: linksOf(id),
  }
}

export function fullEnvelope(
  { snapshot, ...facts }: EnvelopeFacts,
  { delivery, changedFiles, changeRationales, missionEvents }: EnvelopeDetails,
): Full {
  const { id, displayId, priority, revision, title, status, createdAt } = snapshot.mission
  return {
    ...head(facts),
    workspace: facts.workspace,
    project: facts.project,
    mission: { id, displayId, priority, revision, title, status, createdAt },
    ...carried(snapshot),
    ...(delivery && { delivery }),
    ...(snapshot.queue && { queue: snapshot.queue }),
    ...(snapshot.run && { run: snapshot.run }),
    changedFiles,
    changeRationales,
    missionEvents,
    links: linksOf(id),
  }
}

function head({ type, occurredAt, sequence }: Omit<EnvelopeFacts, 'snapshot'>) {
  return {
    apiVersion: webhookApiVersion,
    type,
    occurredAt: occurredAt.toISOString(),
    sequence,
  } as const
}

function carried({ objective, session }: EventSnapshot) {
  return { ...(objective && { objective }), ...(session && { session }) }
}

function linksOf(missionId: string): FullEnvelope['links'] {
  const mission = `/api/missions/${missionId}`
  return {
    mission,
    events: `${mission}/events`,
    fileChanges: `${mission}/file-changes`,
    artifacts: `${mission}/artifacts`,
  }
}

const idBytes = '{"id":"00000000-0000-0000-0000-000000000000"'.length

/** What follows the id. A full payload is cut until it is within the limit. */
export function bodyOf(envelope: Thin | Full): string {
  const rest = 'changedFiles' in envelope ? cutToFit(envelope, maxRestBytes) : envelope
  return `,${JSON.stringify(rest).slice(1)}`
}

const maxRestBytes = envelopeLimits.bytes - idBytes

/** The payload as it is signed and sent. */
export function payloadOf(deliveryId: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`{"id":"${deliveryId}"`), body])
}

const noId = '00000000-0000-0000-0000-000000000000'

/** What a test delivery carries: the shape of every event, about a mission that does not exist. Decision 69. */
export function pingFacts(
  occurredAt: Date,
  workspace: EnvelopeFacts['workspace'],
  project: EnvelopeFacts['project'] | undefined,
): EnvelopeFacts {
  const mission = {
    id: noId,
    displayId: 'ping:0',
    priority: 'normal',
    revision: 1,
    title: 'A test delivery',
    status: { id: noId, type: 'draft', label: 'Draft' },
    createdAt: occurredAt.toISOString(),
  } as const
  return {
    type: pingEventType,
    occurredAt,
    sequence: 0,
    workspace,
    project: project ?? { id: noId, name: 'Sample' },
    snapshot: { mission },
  }
}

export const pingDetails: EnvelopeDetails = {
  delivery: undefined,
  changedFiles: [],
  changeRationales: [],
  missionEvents: [],
}
