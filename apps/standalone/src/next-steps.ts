import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '@svc/contracts/shell-words'
import type { Client } from '@svc/client/client'
import { demonstration } from '@svc/contracts/demonstration'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import { isClosed, isNotStarted, objectiveStates } from '@svc/contracts/states'
import { commandAlias } from './command-alias.ts'
import type { Composed } from './compose.ts'
import { say } from './speech.ts'

/** A line of an instruction that makes the scripted agent ask before it works. */
export const asksOneQuestion = 'scripted: ask'

/** How the command is called from a checkout. */
export const svc = 'npm run -s svc --'

const bootstrap = fileURLToPath(new URL('../../../scripts/bootstrap.mjs', import.meta.url))

const step = (what: string, command: string) => say(`  ${what}\n    ${command}`)

/** What a person can do after the start or the demonstration, each line a command that works when pasted. */
export async function sayNextSteps(
  client: Client,
  composed: Composed,
  mission?: Mission,
): Promise<void> {
  say('\nWhat to do next, each as it stands in this folder:', 'bold')
  sayWebApp(composed)
  if (mission) {
    step('see the mission', `${svc} missions show ${mission.displayId}`)
    await sayNextObjective(client, mission)
  }
  await sayOwnProject(client, join(composed.data.path, 'mine'))
  const [subscription] = (await client.call('listWebhooks', {})).webhooks
  if (subscription)
    step('see what was sent by webhook', `${svc} webhooks deliveries ${subscription.id}`)
  if (composed.mcpEnabled) await sayCloudAgent(client, mission, composed.baseUrl)
  else step('open the endpoint for cloud agents', 'SVC_MCP_ENABLED=true npm start')
  const { SVC_DATA_DIR: folder } = process.env
  if (folder) say(`In another terminal first: export SVC_DATA_DIR=${shellWord(composed.data.path)}`)
  say(
    `Messages say svc for short; this makes it a command in any folder:\n  ${commandAlias(bootstrap)}`,
  )
  say('Ctrl-C stops everything; the next npm start finds all of it again.')
}

/** Prints the address alone on its line, so that a terminal makes it one to click. */
function sayWebApp({ baseUrl, setUpUrl }: Composed): void {
  if (setUpUrl === undefined) return step('open the web app', baseUrl)
  step('open the web app: this link sets your password, once, until the next start', setUpUrl)
}

/**
 * Prints the steps in the order in which they work: an open question first, then each launch that the one before it
 * makes room for.
 */
async function sayNextObjective(client: Client, { id }: Mission): Promise<void> {
  const { mission, objectives } = await client.call('getMission', { id })
  if (isClosed(mission.phase)) return
  const open = await client.call('listQuestions', { missionId: id, status: 'open' })
  const [asked] = open.questions
  if (asked) step(`answer what the agent asks: ${asked.question}`, answerStep(asked.displayId))
  if (objectives.some(({ state }) => objectiveStates[state].active)) {
    return step('watch what is on its way', `${svc} missions watch ${mission.displayId}`)
  }
  const ready = objectives.filter(
    ({ state, instruction }) => isNotStarted(state) && instruction.trim() !== '',
  )
  if (ready.length === 0) {
    return step('review what was delivered, and close it', `${svc} review ${mission.displayId}`)
  }
  await sayLaunches(client, ready)
}

async function sayLaunches(client: Client, ready: readonly Objective[]): Promise<void> {
  const { runners } = await client.call('listRunners', {})
  const real = runners.flatMap(({ agents }) => agents).find((agent) => agent !== 'scripted')
  for (const [index, { displayId, instruction }] of ready.entries()) {
    const launch = `${svc} launch ${displayId} --watch --agent`
    step(index === 0 ? 'approve the next objective' : 'then the one after it', `${launch} scripted`)
    if (real) step('or, in its place, give it to a real agent', `${launch} ${real}`)
    if (instruction.includes(asksOneQuestion))
      step(
        'it asks a question once it runs: answer it from another terminal',
        answerStep(displayId),
      )
  }
  if (!real)
    say(
      '  with an agent on the PATH of npm start, launch takes it: --agent claude, codex, gemini, opencode, copilot or qwen',
    )
}

const answerStep = (displayId: string) => `${svc} questions answer ${displayId} "English."`

/** A project other than the demonstration's, and a repository in it. */
async function sayOwnProject(client: Client, clone: string): Promise<void> {
  const { projects } = await client.call('listProjects', {})
  const own = projects.filter(({ slug }) => slug !== demonstration.slug)
  if (own.length === 0) step('make a project of your own', `${svc} projects create Mine`)
  const linked = await Promise.all(
    own.map(({ id }) => client.call('listProjectResources', { id }).then((one) => one.resources)),
  )
  const slug = own[0]?.slug ?? 'mine'
  if (linked.flat().length === 0) {
    const make = existsSync(clone) ? '' : `git clone -q . "${clone}" && `
    step(
      'link a repository to it: a clone of this one, or the path of yours',
      `${make}${svc} resource link ${slug} "${clone}"`,
    )
  }
  const { missions } = await client.call('listMissions', { limit: 200 })
  if (missions.some(({ displayId }) => !displayId.startsWith(`${demonstration.slug}:`))) return
  const plan = `missions create ${slug} "First steps" --objective "Say in NOTES.md what is here."`
  step('plan a mission in it; what this answers says how to launch it', `${svc} ${plan}`)
}

async function sayCloudAgent(
  client: Client,
  mission: Mission | undefined,
  baseUrl: string,
): Promise<void> {
  const call = '--method tools/call --tool-name svc_load_mission_context --tool-arg'
  const { userTokens } = await client.call('listUserTokens', { limit: 200 })
  say(`  a cloud agent works at ${baseUrl}/mcp`)
  if (!userTokens.some((one) => one.preset === 'mission_lifecycle' && one.revokedAt === null))
    step('make a token for it', `${svc} tokens create "cloud agent" --preset mission_lifecycle`)
  step('list its tools', 'npm run -s inspect -- --method tools/list')
  if (!mission) return
  step(
    'load the mission as it would',
    `npm run -s inspect -- ${call} missionId=${mission.displayId}`,
  )
}
