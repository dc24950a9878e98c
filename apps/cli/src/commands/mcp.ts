import type { Command } from 'commander'
import type { Cli } from '../cli.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', help).action(async () => {
    const { serveTools } = await import('../mcp/stdio.ts')
    await serveTools(cli)
  })
}

const help = `
The tools are those of the hosted endpoint, name for name. The service and the token are found as by
every other command. An agent starts this itself; it ends when the agent closes its end. What makes an
agent start it is svc agents setup.

Examples:
  svc mcp`
