import { AuditAction, type AuditEntry } from '@svc/contracts/audit'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { oneOf } from '../choices.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('show the audit trail, newest first: what changed who may do what, and by whom')
    .option('--limit <number>', 'how many at most', '50')
    .option('--cursor <cursor>', 'go on after the page that named it')
    .addOption(oneOf('--action <action>', 'only this one', AuditAction.options))
    .addHelpText(
      'after',
      '\nExamples:\n  svc audit\n  svc audit --action token.minted --limit 200\n  svc audit --json',
    )
    .action((options: RouteRequest<'listAudit'>) => audit(cli, options))
}

async function audit(cli: Cli, options: RouteRequest<'listAudit'>): Promise<void> {
  const { limit, cursor, action } = options
  const answer = await (
    await openClient(cli)
  ).call('listAudit', {
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
    ...(action !== undefined && { action }),
  })
  const { table } = await import('../output/table.ts')
  const rows = answer.entries.map((entry) => [
    entry.at,
    doerOf(entry),
    entry.action,
    subjectOf(entry),
    entry.tokenPrefix,
    entry.from,
  ])
  const columns = ['WHEN', 'WHO', 'WHAT', 'OF', 'TOKEN', 'FROM']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  if (answer.nextCursor && !cli.settings.json) say(cli, `More: --cursor ${answer.nextCursor}`)
}

/** Whoever is known by no account of the workspace may be known to a provider. */
function doerOf({ actor, from, details }: AuditEntry): string {
  if (actor !== null) return actor.name
  if (from === null) return 'the server'
  const { provider } = details
  return typeof provider === 'string' ? `somebody by ${provider}` : 'somebody'
}

/**
 * Names a thing by the name that it had, where it has one; what somebody did with their own account is named after them.
 */
function subjectOf({ actor, details, targetId }: AuditEntry): string {
  const own = actor?.id === targetId ? actor.name : undefined
  const name = details['displayId'] ?? details['name'] ?? details['label'] ?? own
  return typeof name === 'string' ? name : targetId
}
