import { type ProtocolOperation, protocolOperations } from '@svc/contracts/protocol'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import { expect, test } from 'vitest'
import { readWorkspace } from './workspace.ts'

type Call = RouteName | ProtocolOperation

const unbroken: readonly { why: string; calls: readonly Call[] }[] = [
  { why: 'it writes nothing', calls: ['load-context', 'checkEndpoint', 'previewLaunchSettings'] },
  { why: 'a sign of life: the next one comes by itself', calls: ['heartbeat', 'heartbeatRunner'] },
  {
    why: 'its revision is of a sequence, which goes on when a call is undone',
    calls: ['setSharedState'],
  },
  {
    why: 'its tables name neither project nor mission, by which one call is compared with another',
    calls: ['appendRunLog', 'reportRunFiles', 'reportRunPatches', 'removeRunner'],
  },
  {
    why: 'of a person, by themselves',
    calls: [
      'createInboxItem',
      'updateInboxItem',
      'deleteInboxItem',
      'readNotifications',
      'createUserToken',
      'revokeUserToken',
      'revokeCurrentUserToken',
      'endConnectedApplication',
      'createLoginRequest',
      'pollLoginRequest',
      'changePassword',
      'endSignIn',
      'endSignIns',
      'unlinkIdentity',
    ],
  },
  {
    why: 'of a workspace, whatever its projects',
    calls: [
      'createWorkspace',
      'updateWorkspace',
      'deleteWorkspace',
      'restoreWorkspace',
      'leaveWorkspace',
      'createInvitation',
      'revokeInvitation',
      'updateMember',
      'removeMember',
      'createResetLink',
      'revokeWorkspaceToken',
      'createProject',
    ],
  },
  {
    why: 'of a subscription; what is sent to it has a soak test of its own',
    calls: [
      'createWebhook',
      'updateWebhook',
      'deleteWebhook',
      'enableWebhook',
      'disableWebhook',
      'rotateWebhookSecret',
      'testWebhook',
      'recoverWebhook',
      'resendWebhookDelivery',
    ],
  },
]

const writes: readonly Call[] = [
  // the keys of an object literal are its key type
  ...(Object.keys(restContracts) as RouteName[]).filter(
    (name) => restContracts[name].method !== 'GET',
  ),
  ...protocolOperations,
]

test('a call that writes is broken at each of its points, or it is said why not', () => {
  const broken = new Set<string | undefined>(
    readWorkspace()
      .flatMap((it) => it.sources)
      .filter(({ path }) => path.startsWith('tests/crash/'))
      .flatMap(({ text }) => [...text.matchAll(/\b(?:route|protocol)\([^']*'([\w-]+)'/g)])
      .map(([, call]) => call),
  )
  const left = unbroken.flatMap(({ calls }) => calls)
  expect(left.toSorted()).toEqual(writes.filter((call) => !broken.has(call)).toSorted())
})
