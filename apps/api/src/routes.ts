import { restContracts } from '@svc/contracts/rest'
import type { Actor } from '@svc/domain/actor'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { type Person, isPerson } from '@svc/domain/people/person'
import type { UseCase } from '@svc/domain/use-case'
import { callerOf } from '@svc/service/limits'
import { bindRoutes } from '@svc/http/bind-routes'
import type { HttpApp } from '@svc/http/create-app'
import { authenticateSignedIn } from './credentials/authenticate.ts'
import type { ApiParts } from './parts.ts'
import { useCaseOf } from './use-case-of.ts'

type Caller = Actor | Person
type Handler = (context: UseCase, caller: Caller, input: object) => Promise<unknown>

export function bindRest(app: HttpApp, parts: ApiParts): void {
  // Each handler takes caller and input of its own contract, and the binder has gone by that contract.
  const handlers = routeHandlers as unknown as Readonly<Record<string, Handler>>
  bindRoutes(app, {
    ...parts,
    contracts: restContracts,
    authenticate: (presented, permission): Promise<Caller> =>
      permission === 'person'
        ? authenticateSignedIn(parts, presented)
        : parts.authenticate(presented),
    callerOf: (caller) =>
      isPerson(caller)
        ? { tokenId: caller.signIn.id, workspaceId: caller.userId }
        : callerOf(caller),
    call: async (name, caller, input, call) =>
      handlers[name]?.(
        { ...useCaseOf(parts.domain, caller, call), baseUrl: parts.baseUrl() },
        caller,
        input,
      ),
  })
}
