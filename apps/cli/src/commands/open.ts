import { isServiceError } from '@svc/contracts/errors'
import {
  isMissionDisplayId,
  isObjectiveDisplayId,
  isSlug,
  isUuid,
  missionOfDisplayId,
} from '@svc/contracts/ids'
import { appAddress, appPages } from '@svc/contracts/links'
import type { Client } from '@svc/client/client'
import type { Command } from 'commander'
import { type Cli, credentialsOf, openClient, print, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { oneLine } from '../output/terminal.ts'

interface OpenOptions {
  review?: true
  print?: true
}

export function define(command: Command, cli: Cli): void {
  command
    .description('open the page of something in your browser: without an id, what needs you')
    .argument(
      '[opened]',
      'display id of a mission or objective, slug of a project, or UUID, also of a run',
    )
    .option(
      '--review',
      'of a mission or objective: what it brought, to accept it or ask for changes',
    )
    .option('--print', 'print the address, and open nothing')
    .addHelpText('after', help)
    .action((id: string | undefined, options: OpenOptions) => open(cli, id, options))
}

const help = `
The address is printed, too. BROWSER names the program that opens it; over SSH, and where there is no screen, nothing is opened
unless that is set.

Examples:
  svc open
  svc open web:12
  svc open web:12.k7qd
  svc open web:12 --review
  svc open web
  svc open 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10 --print`

async function open(cli: Cli, id: string | undefined, options: OpenOptions): Promise<void> {
  if (id === undefined && options.review) {
    throw usageFailure('--review goes with a mission: name one, as in svc open web:12 --review.')
  }
  const { baseUrl } = await credentialsOf(cli)
  const client = await openClient(cli)
  const page = id === undefined ? appPages.needs() : await pageOf(client, id, options)
  const { workspace } = await client.call('getMe', {})
  const address = appAddress(baseUrl, workspace.slug, page)
  const opened = !options.print && (await openAddress(cli, address))
  await print(cli, { address, opened }, () => oneLine(address))
  if (opened) say(cli, 'It was opened in your browser.')
  else if (!options.print) say(cli, 'No browser can be opened from here: open the address in one.')
}

async function openAddress(cli: Cli, address: string): Promise<boolean> {
  const { openInBrowser } = await import('../open-browser.ts')
  return openInBrowser(cli.env, address)
}

/** By the id that people read, once it is known that the service has it and shows it to this person. */
async function pageOf(client: Client, id: string, { review }: OpenOptions): Promise<string> {
  for (const find of kindsOf(id)) {
    const found = await find(client, id).catch(ignoreMissing)
    if (found === undefined) continue
    if (!review) return found.page
    if (found.mission !== undefined) return appPages.review(found.mission)
    throw usageFailure(`--review goes with a mission, and ${id} names none.`)
  }
  const what = isUuid(id) ? 'No mission, objective, run or project' : 'Nothing'
  throw new CommandFailure(
    'not_found',
    `${what} of the id ${oneLine(id)} is there for you: svc board <project> lists missions, svc projects list projects.`,
    exitCode.notFound,
  )
}

interface Found {
  page: string
  /** Whose review there is. */
  mission?: string
}

type Find = (client: Client, id: string) => Promise<Found>

const mission: Find = async (client, id) => {
  const { displayId } = (await client.call('getMission', { id, instructionCharacters: 0 })).mission
  return { page: appPages.mission(displayId), mission: displayId }
}

const objective: Find = async (client, id) => {
  const { displayId } = (await client.call('getObjective', { id })).objective
  return { page: appPages.objective(displayId), mission: missionOfDisplayId(displayId) }
}

const run: Find = async (client, id) => {
  await client.call('getExecutionRequest', { id })
  return { page: appPages.run(id) }
}

const project: Find = async (client, id) => {
  const { slug } = (await client.call('getProject', { id })).project
  return { page: appPages.project(slug) }
}

/** What an id may name, by how it is written. */
function kindsOf(id: string): readonly Find[] {
  if (isMissionDisplayId(id)) return [mission]
  if (isObjectiveDisplayId(id)) return [objective]
  if (isUuid(id)) return [mission, objective, run, project]
  if (isSlug(id)) return [project]
  throw usageFailure(
    `${id} names nothing: give a display id such as web:12 or web:12.k7qd, the slug of a project, or a UUID.`,
  )
}

function ignoreMissing(error: unknown): undefined {
  if (!isServiceError(error) || error.code !== 'not_found') throw error
}
