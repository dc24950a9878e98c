import type { Client } from '@svc/client/client'
import { AuditAction, type AuditEntry } from '@svc/contracts/audit'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { oneOf } from '../choices.ts'
import { idOfMember } from '../member-ref.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { timeOf } from '../time-option.ts'

interface AuditOptions extends PageOptions {
  action?: AuditAction
  by?: string
  of?: string
  since?: string
  before?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .description('show the audit trail, newest first: what changed who may do what, and by whom')
    .option(...limitOption)
    .option(...cursorOption)
    .addOption(oneOf('--action <action>', 'only this one', AuditAction.options))
    .option('--by <member>', 'what somebody did: e-mail address or UUID')
    .option('--of <id>', 'what was done to a person, token, mission …, by its UUID')
    .option('--since <time>', 'a date or a time, as in 2026-11-01 or 2026-11-01T09:30:00Z')
    .option('--before <time>', 'the same')
    .addHelpText(
      'after',
      '\nOf several of these together a page looks through 5,000 entries, and may hold few.\n\nExamples:\n  svc audit\n  svc audit --action token.minted --limit 200\n  svc audit --by anna@example.com --since 2026-11-01\n  svc audit --json',
    )
    .action((options: AuditOptions) => audit(cli, options))
}

async function audit(cli: Cli, options: AuditOptions): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('listAudit', await filterOf(client, options))
  const { table } = await import('../output/table.ts')
  const rows = answer.entries.map((entry) => [
    entry.at,
    doerOf(entry),
    meansOf(entry),
    entry.action,
    subjectOf(entry),
    entry.tokenPrefix,
    entry.from,
  ])
  const columns = ['WHEN', 'WHO', 'BY', 'WHAT', 'OF', 'TOKEN', 'FROM']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  sayMore(cli, answer)
}

async function filterOf(
  client: Client,
  { action, by, of, since, before, ...page }: AuditOptions,
): Promise<RouteRequest<'listAudit'>> {
  return {
    ...pageOf(page),
    ...(action !== undefined && { action }),
    ...(by !== undefined && { actorId: await idOfMember(client, by) }),
    ...(of !== undefined && { targetId: of }),
    ...(since !== undefined && { since: timeOf('--since', since) }),
    ...(before !== undefined && { before: timeOf('--before', before) }),
  }
}

/** Whoever is known by no account of the workspace may be known to a provider. */
function doerOf({ actor, from, details }: AuditEntry): string {
  if (actor !== null) return actor.name
  if (from === null) return 'the server'
  const { provider } = details
  return typeof provider === 'string' ? `somebody by ${provider}` : 'somebody'
}

function meansOf({ by }: AuditEntry): string | null {
  if (by === null) return null
  return by.label === null ? by.kind : `${by.kind} ${by.label}`
}

/**
 * Names a thing by the name that it had, where it has one; what somebody did with their own account is named after them.
 */
function subjectOf({ actor, details, targetId }: AuditEntry): string {
  const own = actor?.id === targetId ? actor.name : undefined
  const name = details['displayId'] ?? details['name'] ?? details['label'] ?? own
  return typeof name === 'string' ? name : targetId
}
