import { hash, randomBytes } from 'node:crypto'
import { createApi } from '@svc/api/app'
import { toHttpRequest } from '@svc/client/request'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { approveLoginRequest } from '@svc/domain/login-requests/decide'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { highLimits } from '@svc/testing/high-limits'
import { operations } from '@svc/domain/testing/operations'
import { signedIn } from '@svc/domain/testing/signed-in'
import { type Call, type Input, bearer } from './ask.ts'
import { personInputs } from './person-rows.ts'
import { preparations } from './preparations.ts'
import { type Preparation, type Prepared, about, named, subscribed } from './prepare.ts'
import { prepare } from './rows.ts'
import type { Scene } from './scene.ts'

const baseUrl = 'http://localhost:4600'
const log = createLog({ name: 'test', level: 'silent' })
const limiter = limiterOf(LimitsEnvironment.parse(highLimits))

/** One call of a route by the scene's person, or by nobody where anybody may, of a service that does nothing else. */
export interface CarriedOut {
  send: () => Promise<Response>
  undo: Prepared['undo'] | undefined
}

export async function readyToCarryOut(scene: Scene, name: RouteName): Promise<CarriedOut> {
  const contract: EndpointContract = restContracts[name]
  const { credentials, input, undo } = await callOf(scene, contract)
  const { path, body = null, ...request } = toHttpRequest(contract, input)
  const headers = { ...credentials, ...request.headers }
  const api = createApi({ domain: scene.domain, log, limiter, baseUrl: () => baseUrl })
  const incoming = { socket: { remoteAddress: '192.0.2.1' } }
  const send = async () => api.request(baseUrl + path, { ...request, headers, body }, { incoming })
  return { send, undo }
}

async function callOf(
  scene: Scene,
  contract: EndpointContract,
): Promise<Call & Pick<CarriedOut, 'undo'>> {
  const name = `${contract.method} ${contract.path}`
  const operation = operations.find((one) => one.name === name)
  if (operation) {
    const { input, undo } = await prepare(scene, operation, changing[name] ?? preparations[name])
    return { credentials: bearer(scene.person.token), input, undo }
  }
  const input = (await { ...personInputs, ...others }[name]?.(scene)) ?? {}
  const isPublic = contract.permission === 'public'
  const credentials = isPublic
    ? {}
    : await signedIn(scene.domain, { userId: scene.userId, baseUrl })
  return { credentials, input, undo: undefined }
}

/** Where what is asked of the matrix changes nothing. */
const changing: Readonly<Record<string, Preparation>> = {
  'PUT /api/projects/:id/run-queues/order': about(
    async ({ person }, { project: { id } }) => {
      for (const order of [named(), named()]) await person.call('createRunQueue', { id, ...order })
      const { queues } = await person.call('listRunQueues', { id })
      const [first, ...others] = queues.map((queue) => queue.id)
      return { id, queueIds: [first, ...others.toReversed()] }
    },
    { of: 'own' },
  ),
  'PUT /api/run-queues/:id/order': about(
    async ({ person }, { objectives }) => {
      const orders = objectives.map(({ id }) => ({ objectiveId: id }))
      const [one, other] = [
        await person.call('queueObjective', orders[0] ?? { objectiveId: '' }),
        await person.call('queueObjective', orders[1] ?? { objectiveId: '' }),
      ]
      return { id: one.queue.id, orderedEntryIds: [other.entry.id, one.entry.id] }
    },
    { of: 'own', objectives: 2 },
  ),
  'PATCH /api/members/:id': async ({ world }) => ({
    input: { id: (await world.person('viewer')).userId, role: 'member' },
  }),
  'POST /api/workspace/restore': async ({ person }) => {
    const { workspace } = await person.call('getWorkspace', {})
    await person.call('deleteWorkspace', { name: workspace.name })
    return { input: {} }
  },
  'POST /api/webhooks/:id/enable': async (scene) => {
    const prepared = await subscribed(scene)
    await scene.person.call('disableWebhook', { id: String(prepared.input['id']) })
    return prepared
  },
}

/** The inputs of calls that are not made with a token. */
const others: Readonly<Record<string, (scene: Scene) => Promise<Input>>> = {
  'POST /api/workspaces': async () => ({
    slug: `made-${randomBytes(6).toString('hex')}`,
    name: 'Made',
  }),
  'POST /api/login-requests': async () => ({
    challenge: randomBytes(32).toString('base64url'),
    device: 'laptop',
  }),
  'POST /api/login-requests/:id/poll': async ({ domain, person }) => {
    const verifier = randomBytes(32).toString('base64url')
    const request = await routeHandlers.createLoginRequest(
      { domain },
      { from: '192.0.2.1', origin: baseUrl },
      { challenge: hash('sha256', verifier, 'base64url'), device: 'laptop' },
    )
    const handle = new URL(request.address).searchParams.get('request') ?? ''
    await approveLoginRequest({ domain }, await person.actor(), handle)
    return { id: request.id, verifier }
  },
}
