import { appAddress, appPages } from '@svc/contracts/links'
import type { UserToken } from '@svc/contracts/user-token'
import type { Command } from 'commander'
import { type Cli, credentialsOf, openClient, print } from '../cli.ts'
import { localTime } from '../output/local-time.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', help).action(() => whoami(cli))
}

const help = `
The service and the token are looked for in this order:
  1. --url and --token-file
  2. SVC_BACKEND_URL (or SVC_BASE_URL) and SVC_USER_TOKEN
  3. ~/.config/svc/credentials.json (in $XDG_CONFIG_HOME where that is set), which svc login writes
  4. owner.json in the data folder of npm start
Of several logins in these files --workspace names one; else the newest counts.

Examples:
  svc whoami
  svc whoami --json --url https://svc.example.com --token-file ./token`

function describeToken({ label, preset, expiresAt }: UserToken): string {
  return `${label} (${preset ?? 'chosen permissions'}, until ${localTime(expiresAt)})`
}

async function whoami(cli: Cli): Promise<void> {
  const { baseUrl, source } = await credentialsOf(cli)
  const me = await (await openClient(cli)).call('getMe', {})
  const { details } = await import('../output/table.ts')
  const fields = {
    service: baseUrl,
    credential: source,
    person: `${me.user.name} <${me.user.email}>`,
    workspace: `${me.workspace.name} (${me.workspace.slug})`,
    role: me.role,
    page: appAddress(baseUrl, me.workspace.slug, appPages.needs()),
    ...(me.token && { token: describeToken(me.token) }),
  }
  await print(cli, me, () => details(fields, cli.stdout))
}
