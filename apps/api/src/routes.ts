import { restContracts } from '@svc/contracts/rest'
import type { Actor } from '@svc/domain/actor'
import { routeHandlers } from '@svc/domain/handlers/routes'
import type { UseCase } from '@svc/domain/use-case'
import { bindRoutes } from '@svc/http/bind-routes'
import type { HttpApp } from '@svc/http/create-app'
import type { ApiParts } from './parts.ts'
import { useCaseOf } from './use-case-of.ts'

type Handler = (context: UseCase, actor: Actor, input: object) => Promise<unknown>

export function bindRest(app: HttpApp, parts: ApiParts): void {
  // Each handler takes the input of its own contract, and the binder has parsed it by that contract.
  const handlers = routeHandlers as unknown as Readonly<Record<string, Handler>>
  bindRoutes(app, {
    ...parts,
    contracts: restContracts,
    call: async (name, actor, input, call) =>
      handlers[name]?.(useCaseOf(parts.domain, actor, call), actor, input),
  })
}
