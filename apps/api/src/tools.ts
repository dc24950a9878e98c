import { ServiceError } from '@svc/contracts/errors'
import { type ToolName, toolEndpoint, toolNames } from '@svc/contracts/mcp/tools'
import { callTool } from '@svc/domain/handlers/tools'
import { bindRoutes } from '@svc/http/bind-routes'
import type { HttpApp } from '@svc/http/create-app'
import { type ApiParts, admit } from './parts.ts'
import { useCaseOf } from './use-case-of.ts'

/** `POST /api/tools/<name>`: what local connectors call, whether the hosted endpoint is on or not. Decision 64. */
export function bindTools(app: HttpApp, parts: ApiParts): void {
  bindRoutes(app, {
    ...parts,
    contracts: Object.fromEntries(toolNames.map((name) => [name, toolEndpoint(name)])),
    // the contracts above are those of the tools, under their names
    call: (name, actor, input, call) => {
      const context = { ...useCaseOf(parts.domain, actor, call), baseUrl: parts.baseUrl() }
      return callTool(context, actor, name as ToolName, input)
    },
  })
  app.post('/api/tools/:name', async (context) => {
    await admit(context, parts)
    throw new ServiceError(
      'not_found',
      `There is no tool ${context.req.param('name')}. Known: ${toolNames.join(', ')}.`,
    )
  })
}
