import { randomUUID } from 'node:crypto'
import { type Names, type Naming, namingOf } from './naming.ts'
import type { Operation } from './operations.ts'
import { type Lease, nameOfReport } from './runner.ts'

/** Left out where they may be, but for these: without one of them some inputs are refused. */
const alwaysGiven = new Set(['contentText', 'instruction', 'text', 'permissions', 'name'])

/** What does not go together with the rest of the least input. */
const neverTogether: Readonly<Record<string, readonly Naming[]>> = {
  svc_manage_run_queue: ['projectId', 'entryId', 'moveEntriesTo', 'queueIds'],
}

/** The least that the operation takes, with what it can name named; `named` says which of the optional ones. */
export function inputOf(
  operation: Operation,
  names: Names,
  lease: Lease,
  named: (naming: Naming) => boolean = () => true,
): Record<string, unknown> {
  const values = valuesOf(lease)
  const input: Record<string, unknown> = {}
  for (const [field, { optional }] of operation.fields) {
    const naming = namingOf(operation, field)
    if (naming) {
      const isBeside = neverTogether[operation.name]?.includes(naming) ?? false
      if (!optional || (named(naming) && !isBeside)) input[field] = names[naming]
    } else if (!optional || alwaysGiven.has(field)) {
      const given = `${operation.name} ${field}` in values ? `${operation.name} ${field}` : field
      if (!(given in values)) throw new Error(`${operation.name}: say in valuesOf what ${field} is`)
      input[field] = values[given]
    }
  }
  return input
}

/** A value for each argument that names nothing, whatever the operation; or of the one that stands before it. */
function valuesOf({ leaseToken }: Lease): Record<string, unknown> {
  const sha = 'a'.repeat(40)
  return {
    action: 'update',
    agent: 'scripted',
    agentIdentifier: 'scripted',
    agents: [],
    argvRedacted: [],
    attempt: 1,
    baseSha: sha,
    batchId: randomUUID(),
    bytes: Buffer.from('output'),
    cause: 'agent',
    claimId: randomUUID(),
    code: 'disk_full',
    contentText: 'x',
    device: { fingerprint: 'device-furnished', label: 'box', platform: 'linux', arch: 'x64' },
    dirty: false,
    endpointUrl: 'no address',
    eventTypes: ['mission.blocked'],
    email: 'somebody@example.com',
    exitCode: 0,
    expectedRevision: 1,
    files: 1,
    from: 0,
    headSha: sha,
    ids: randomUUID(),
    instanceId: randomUUID(),
    instruction: 'x',
    items: [],
    key: 'web',
    label: 'Mine',
    lastOutput: '',
    leaseToken,
    message: 'x',
    name: 'Mine',
    objectives: [{ instruction: 'x' }],
    patches: 1,
    permissions: [],
    phase: 'prepare',
    pid: 1,
    pidStartedAt: '1',
    position: 0,
    // that of the furnished run
    report: nameOfReport(['a.ts']),
    reason: 'network',
    resourceKey: 'web',
    resources: [],
    role: 'member',
    runner: { instanceId: randomUUID(), version: '1', capacity: { max: 1, running: 0 } },
    seq: 1,
    signal: null,
    stat: [],
    summary: 'x',
    text: 'x',
    title: 'Mine',
    truncated: false,
    type: 'draft',
    value: 'x',
    wanted: { branch: 'mine-1', follows: null, insteadOf: null },
    workspace: 'none',
    'GET /api/runner/waiting agents': 'scripted',
    'POST /api/missions/:id/events type': 'furnished:event',
    'POST /api/runner/requests/:id/files files': [{ filePath: 'a.ts', additions: 1, deletions: 0 }],
    'POST /api/runner/requests/:id/patches patches': [{ position: 0, patch: 'x' }],
    'x-svc-lease': leaseToken,
    'x-svc-offset': 0,
  }
}
