import { restContracts } from '@svc/contracts/rest'
import { oldestClient } from '@svc/contracts/version'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { isPerson } from '@svc/domain/entities/people/person'
import { type AnyCaller, isVisitor } from '@svc/domain/people/visitor'
import type { UseCase } from '@svc/domain/use-case'
import { callerOf } from '@svc/service/limits'
import { bindRoutes } from '@svc/http/bind-routes'
import type { HttpApp } from '@svc/http/create-app'
import { authenticateSignedIn } from './credentials/authenticate.ts'
import type { ApiParts } from './parts.ts'
import { useCaseOf } from './use-case-of.ts'

type Handler = (context: UseCase, caller: AnyCaller, input: object) => Promise<unknown>

export function bindRest(app: HttpApp, parts: ApiParts): void {
  // Each handler takes caller and input of its own contract, and the binder has gone by that contract.
  const handlers = routeHandlers as unknown as Readonly<Record<string, Handler>>
  bindRoutes(app, {
    ...parts,
    contracts: restContracts,
    oldest: oldestClient,
    authenticate: (presented, permission): Promise<AnyCaller> =>
      permission === 'person'
        ? authenticateSignedIn(parts, presented)
        : parts.authenticate(presented),
    admit: (from) => ({ from, origin: parts.baseUrl() }),
    callerOf: (caller) => {
      if (isVisitor(caller)) return { tokenId: caller.from, workspaceId: caller.from }
      return isPerson(caller)
        ? { tokenId: caller.signIn.id, workspaceId: caller.userId }
        : callerOf(caller)
    },
    call: async (name, caller, input, call) =>
      handlers[name]?.(
        { ...useCaseOf(parts.domain, caller, call), baseUrl: parts.baseUrl() },
        caller,
        input,
      ),
  })
}
