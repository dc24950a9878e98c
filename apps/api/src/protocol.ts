import { ServiceError } from '@svc/contracts/errors'
import { protocolEndpoint, protocolOperations } from '@svc/contracts/protocol'
import type { Actor } from '@svc/domain/common/actor'
import { protocolHandlers } from '@svc/domain/handlers/protocol'
import type { UseCase } from '@svc/domain/use-case'
import { bindRoutes } from '@svc/http/bind-routes'
import type { HttpApp } from '@svc/http/create-app'
import { type ApiParts, admit } from './parts.ts'
import { useCaseOf } from './use-case-of.ts'

type Handler = (context: UseCase, actor: Actor, input: object) => Promise<unknown>

const deviceHeader = 'x-svc-device'

/** `POST /api/protocol/<operation>`, Decision 64. `X-Svc-Device` reaches the handler as `device`. */
export function bindProtocol(app: HttpApp, parts: ApiParts): void {
  // Each handler takes the input of its own contract, and the binder has parsed it by that contract.
  const handlers = protocolHandlers as unknown as Readonly<Record<string, Handler>>
  bindRoutes(app, {
    ...parts,
    contracts: Object.fromEntries(
      protocolOperations.map((name) => [`protocol.${name}`, protocolEndpoint(name)]),
    ),
    call: async (name, actor, { [deviceHeader]: device, ...input }, call) => {
      const handler = handlers[name.slice('protocol.'.length)]
      return handler?.(useCaseOf(parts.domain, actor, call), actor, {
        ...input,
        ...(device !== undefined && { device }),
      })
    },
  })
  app.post('/api/protocol/:operation', async (context) => {
    await admit(context, parts)
    const known = protocolOperations.join(', ')
    throw new ServiceError(
      'not_found',
      `There is no operation ${context.req.param('operation')}. Known: ${known}.`,
    )
  })
}
