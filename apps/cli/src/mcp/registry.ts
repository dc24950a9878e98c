import {
  type ToolName,
  type ToolOutput,
  type ToolRequest,
  toolNames,
} from '@svc/contracts/mcp/tools'

export type LocalTools = {
  [N in ToolName]: (input: ToolRequest<N>) => Promise<ToolOutput<N>>
}

/** A local twin for every hosted tool: there is no list here that could differ from theirs. */
export function deriveLocal(
  call: <N extends ToolName>(name: N, input: ToolRequest<N>) => Promise<ToolOutput<N>>,
): LocalTools {
  const twins = toolNames.map((name) => [
    name,
    (input: ToolRequest<typeof name>) => call(name, input),
  ])
  // the names are all the names, and each twin calls the tool of its own
  return Object.fromEntries(twins) as unknown as LocalTools
}
