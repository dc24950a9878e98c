import { describeTools } from '@svc/contracts/mcp/describe-tool'
import { toolContractVersion, toolContracts, toolInstructions } from '@svc/contracts/mcp/tools'
import { widgetCapabilities, widgetResources } from '@svc/contracts/mcp/widgets'
import { version } from '@svc/contracts/version'
import type { Site } from './site.ts'

export const serverInfo = { name: 'svc', title: 'svc', version } as const
export const instructions = toolInstructions
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const

export const capabilities = { tools: {}, ...widgetCapabilities }

/** `tools/list`, made once: it is the same for every caller. */
export const toolList = Object.freeze(describeTools())

/** What GET /mcp answers whoever holds a token. */
export function describeServer(site: Site) {
  const { name, title } = serverInfo
  return {
    name,
    version,
    title,
    contractVersion: toolContractVersion,
    endpoint: site.resource,
    protocolVersion: '2025-11-25',
    protocolVersions,
    capabilities: {
      tools: Object.values(toolContracts).map((tool) => ({ name: tool.name, title: tool.title })),
      resources: widgetResources.map(({ uri, title }) => ({ uri, title })),
    },
    instructions,
    authorization: { resource: site.resource, scopes: site.scopes },
  }
}

/** Stands in for the validator that each SDK would build for every request: nothing of a client's is asked here. */
export const noValidator = {
  getValidator(): never {
    throw new Error('nothing is ever asked of a client, so there is no answer to validate')
  },
}
