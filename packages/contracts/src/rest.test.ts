import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AgentSession } from './agent-session.ts'
import { Artifact } from './artifact.ts'
import { ChangeRationale, ChangedFile } from './change-rationale.ts'
import { AttachAnswer } from './context.ts'
import { Delivery, DeliveryReport } from './delivery.ts'
import { Mission } from './mission.ts'
import { Objective } from './objective.ts'
import { permissions } from './permissions.ts'
import { ProjectResource } from './project.ts'
import { protocolContracts } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'

const endpoints: [string, EndpointContract][] = Object.entries(restContracts)
const operations = Object.entries(protocolContracts)

const setUp = 'what people set up by hand'
const ofOne = 'belongs to one thing, which has a bound for it'

/** Lists that are answered whole, each with what bounds it. */
const wholeLists: Record<string, string> = {
  listProjects: setUp,
  listRunners: setUp,
  resolveProject: 'the best matches alone',
  listAgents: 'those of runners, settings and the newest runs alone',
  getBoard: 'the newest of each column, which has a cursor of its own',
  getRunner: 'its own checkouts, and runs by how many it may carry',
  getMe: 'the first workspaces of a person alone',
  listSignIns: 'the newest of a person alone',
  listIdentities: 'one for each provider',
  listProjectStatuses: ofOne,
  listProjectResources: setUp,
  listRunQueues: ofOne,
  getMission: ofOne,
  getMissionOverview: 'each list is cut, and leads to the whole of it',
  getExecutionRequest: ofOne,
  getWebhookDelivery: ofOne,
  listAttachments: ofOne,
  listSharedState: ofOne,
  listWebhookEvents: 'the next of a feed, which its cursor goes on from',
}

test('a list comes in pages, or something else bounds it', () => {
  const whole = endpoints.filter(([, { method, answer }]) => {
    if (method !== 'GET' || !(answer instanceof z.ZodObject)) return false
    const parts = Object.values(answer.shape).filter((part) => part instanceof z.ZodArray)
    return parts.length > 0 && !('nextCursor' in answer.shape)
  })
  const names = whole.map(([name]) => name)
  expect(names.toSorted()).toEqual(Object.keys(wholeLists).toSorted())
})

describe('every endpoint', () => {
  test.each(endpoints)(
    '%s has a key in params for each part of its path, and no other',
    (_, contract) => {
      const parts = [...contract.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => String(name))
      expect(Object.keys(contract.params?.shape ?? {}).toSorted()).toEqual(parts.toSorted())
    },
  )

  test.each(endpoints)('%s asks a permission that exists', (_, { permission }) => {
    expect(['any', 'person', 'public', ...permissions]).toContain(permission)
  })

  test.each(endpoints)('%s takes no part of its input from two places', (_, contract) => {
    const body = contract.body instanceof z.ZodObject ? Object.keys(contract.body.shape) : []
    const keys = [contract.params, contract.query, contract.headers].flatMap((part) =>
      Object.keys(part?.shape ?? {}),
    )
    const all = [...keys, ...body]
    expect(new Set(all).size).toBe(all.length)
  })

  test.each(endpoints)('%s answers a body unless it is 204', (_, contract) => {
    expect(contract.answer === 'none').toBe(contract.status === 204)
  })

  test('has a method and path of its own', () => {
    const places = endpoints.map(
      ([, { method, path }]) => `${method} ${path.replace(/:[A-Za-z]+/g, ':')}`,
    )
    expect(new Set(places).size).toBe(places.length)
  })

  test('of the spec stands where the spec puts it', () => {
    const places = endpoints.map(([, { method, path }]) => `${method} ${path}`)
    expect(places).toEqual(
      expect.arrayContaining([
        'POST /api/objectives/:id/launch',
        'POST /api/runner/claim',
        'POST /api/missions/:id/artifacts',
        'PATCH /api/missions/:id/artifacts/:artifactId',
        'POST /api/user-tokens',
        'GET /api/missions/:id',
        'GET /api/missions/:id/events',
        'GET /api/missions/:id/file-changes',
        'GET /api/missions/:id/artifacts',
      ]),
    )
  })
})

describe('every protocol operation', () => {
  test.each(operations)('%s asks a permission that exists', (_, { permission }) => {
    expect(permissions).toContain(permission)
  })
})

describe('on the wire', () => {
  test.each([
    [
      'a mission',
      Mission,
      [
        'id',
        'displayId',
        'title',
        'status',
        'priority',
        'createdAt',
        'active_branch',
        'allowParallelObjectives',
        'auto_advance',
        'phase',
      ],
    ],
    [
      'an objective',
      Objective,
      [
        'id',
        'position',
        'title',
        'state',
        'assigned_agent',
        'model',
        'reasoning_effort',
        'resource_key',
      ],
    ],
    ['a session', AgentSession, ['agentIdentifier', 'modelIdentifier', 'phase']],
    ['a delivery', Delivery, ['id', 'summary', 'report', 'artifacts']],
    ['a report', DeliveryReport, ['schemaVersion', 'agentReport', 'presentation']],
    ['an artifact', Artifact, ['id', 'type', 'label', 'contentText', 'externalUrl', 'revision']],
    ['a rationale', ChangeRationale, ['filePath', 'label', 'summary', 'why', 'impact', 'hunks']],
    ['a changed file', ChangedFile, ['filePath', 'vcsStatus']],
    ['a resource', ProjectResource, ['resourceKey', 'path', 'permission']],
    [
      'the attach answer',
      AttachAnswer,
      [
        'currentObjective',
        'previousObjectives',
        'futureObjectives',
        'history',
        'artifacts',
        'attachments',
        'sharedState',
        'projectResources',
        'agentInstructions',
        'sessionKey',
      ],
    ],
  ])('%s has the field names of the spec', (_, schema, names) => {
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(names))
  })

  test('the permission of a resource is rw or ro', () => {
    const { permission } = ProjectResource.shape
    expect(['rw', 'ro', 'rwx', ''].map((value) => permission.safeParse(value).success)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('an artifact', () => {
  const { body } = restContracts.createArtifact
  const update = restContracts.updateArtifact.body
  const label = 'Preview'

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.example/x',
    '//a.example/x',
    'a.example',
  ])('does not link to %s', (externalUrl) => {
    expect(body.safeParse({ type: 'link', label, externalUrl }).success).toBe(false)
    expect(update.safeParse({ expectedRevision: 1, externalUrl }).success).toBe(false)
  })

  test('needs a text or a link, and a revision of it at least one change', () => {
    expect(body.safeParse({ type: 'next_steps', label }).success).toBe(false)
    expect(body.safeParse({ type: 'next_steps', label, contentText: '' }).success).toBe(true)
    expect(update.safeParse({ expectedRevision: 1 }).success).toBe(false)
    expect(update.safeParse({ expectedRevision: 1, label }).success).toBe(true)
    expect(update.safeParse({ expectedRevision: 0, label }).success).toBe(false)
  })

  test('holds at most 256 KiB of text, counted in bytes', () => {
    const fits = (contentText: string) =>
      body.safeParse({ type: 'text', label, contentText }).success
    expect([
      fits('x'.repeat(262_144)),
      fits('x'.repeat(262_145)),
      fits('ü'.repeat(131_073)),
    ]).toEqual([true, false, false])
  })
})

test("an objective's UUID alone names no mission; its display id does", () => {
  const id = '0192f0c4-8f3e-7c61-9f0a-3b1f2d4c5e6f'
  const artifact = { type: 'next_steps', label: 'Next', contentText: 'x' }
  const update = { artifactId: id, expectedRevision: 1, label: 'Next' }
  const accepts = (scope: object) => [
    protocolContracts['load-context'].input.safeParse(scope).success,
    protocolContracts['add-artifact'].input.safeParse({ ...artifact, ...scope }).success,
    protocolContracts['update-artifact'].input.safeParse({ ...update, ...scope }).success,
  ]
  expect(accepts({ objectiveId: id })).toEqual([false, false, false])
  expect(accepts({ objectiveId: id, missionId: id })).toEqual([true, true, true])
  expect(accepts({ objectiveId: 'web:1.k7qd' })).toEqual([true, true, true])
})

test.each([['seq'], ['part']])('a ledger batch has a %s that can be stored', (field) => {
  const { body } = restContracts.recordLedgerBatch
  const accepts = (number: number) => {
    const numbered = field === 'seq' ? { seq: number } : { seq: 1, part: { number, of: number } }
    const batchId = '0192f0c4-8f3e-7c61-9f0a-3b1f2d4c5e6f'
    return body.safeParse({ sessionKey: 'web:1.k7qd', batchId, items: [], ...numbered }).success
  }
  expect([1, 2 ** 31 - 1, 2 ** 31].map(accepts)).toEqual([true, true, false])
})
