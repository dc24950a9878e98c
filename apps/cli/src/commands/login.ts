import { hash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { appAddress, appPages } from '@svc/contracts/links'
import type { LoginRequest } from '@svc/contracts/login-request'
import type { RouteOutput } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, print, say } from '../cli.ts'
import { findService, ownCredentialFile } from '../credentials.ts'
import { oneLine } from '../output/terminal.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option('--no-browser', 'open none here: the address works in a browser on any machine')
    .addHelpText('after', help)
    .action((options: LoginOptions) => login(cli, options))
}

const help = `
Prints an address and a code. Open the address in any browser where you are signed in to the service, or sign in there;
compare the code, choose a workspace, approve. The token, good for 90 days, or for fewer where the workspace
allows no more, is kept in ~/.config/svc/credentials.json (in $XDG_CONFIG_HOME where that is set), one for each
workspace. The newest one counts where none is named; --workspace names one, here the one that the page offers first,
and with any other command the one that it is for. A runner of a second workspace or service has a folder
of its own.
svc logout ends it.

Examples:
  svc login --url https://svc.example.com
  svc login --no-browser --workspace acme
  svc login --json`

interface LoginOptions {
  browser: boolean
}

async function login(cli: Cli, { browser }: LoginOptions): Promise<void> {
  const { env, repositoryRoot, settings, signal } = cli
  const { workspace } = settings
  const baseUrl = findService({ env, repositoryRoot, url: settings.url, workspace })
  const { createClient } = await import('@svc/client/client')
  const client = createClient({ baseUrl, signal })
  const verifier = randomBytes(32).toString('base64url')
  const challenge = hash('sha256', verifier, 'base64url')
  const request = await client.call('createLoginRequest', { challenge, device: deviceLabel() })
  await show(cli, request, browser)

  const { awaitApproval } = await import('../login/await-approval.ts')
  const { token } = await awaitApproval(cli, client, { request, verifier })
  const path = ownCredentialFile({ env })
  const { nameCredentials, rememberCredentials } = await import('../login/keep-credentials.ts')
  await nameCredentials(path, baseUrl, async (older) => {
    const { workspace } = await createClient({ baseUrl, token: older, signal }).call('getMe', {})
    return workspace.slug
  })
  // it is shown to nobody again, so it is kept before anything else is asked for
  rememberCredentials(path, { baseUrl, token })
  const me = await createClient({ baseUrl, token, signal }).call('getMe', {})
  rememberCredentials(path, { baseUrl, token, workspace: me.workspace.slug })
  await printSignedIn(cli, { baseUrl, path, me }, workspace)
}

/** The address is always printed: a browser may have opened where nobody looks. */
async function show(cli: Cli, { code, address }: LoginRequest, browser: boolean): Promise<void> {
  const url = new URL(address)
  const { workspace } = cli.settings
  if (workspace !== undefined) url.searchParams.set('workspace', workspace)
  const shown = oneLine(url.href)
  say(cli, `Open  ${shown}\nand approve the code  ${oneLine(code)}`)
  if (!browser || !/^https?:$/.test(url.protocol)) return
  const { openInBrowser } = await import('../open-browser.ts')
  if (await openInBrowser(cli.env, shown)) say(cli, 'It was opened in your browser.')
}

async function printSignedIn(
  cli: Cli,
  { baseUrl, path, me }: { baseUrl: string; path: string; me: RouteOutput<'getMe'> },
  asked: string | undefined,
): Promise<void> {
  if (asked !== undefined && ![me.workspace.id, me.workspace.slug].includes(asked)) {
    say(cli, `It was approved for ${oneLine(me.workspace.slug)}, and not for ${asked}.`)
  }
  if (cli.env['SVC_USER_TOKEN']) {
    say(
      cli,
      'SVC_USER_TOKEN is set and stands above this login: unset it to work as who you are now.',
    )
  }
  const { details } = await import('../output/table.ts')
  const fields = {
    service: baseUrl,
    credential: path,
    person: `${me.user.name} <${me.user.email}>`,
    workspace: `${me.workspace.name} (${me.workspace.slug})`,
    until: me.token?.expiresAt,
    page: appAddress(baseUrl, me.workspace.slug, appPages.needs()),
  }
  await print(cli, { baseUrl, credential: path, ...me }, () => details(fields, cli.stdout))
}

/** What the approving page calls this machine. */
function deviceLabel(): string {
  const visible = hostname().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
  return visible.trim().slice(0, 80) || 'a computer'
}
