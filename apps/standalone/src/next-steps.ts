import { join } from 'node:path'
import type { Client } from '@svc/client/client'
import type { Mission } from '@svc/contracts/mission'
import type { Composed } from './compose.ts'
import { say } from './speech.ts'

/** How the command is called from a checkout. */
export const svc = 'npm run -s svc --'

/** What a person can do after the demonstration, each line a command that works when pasted. */
export async function sayNextSteps(
  client: Client,
  composed: Composed,
  mission: Mission,
): Promise<void> {
  const { objectives: all } = await client.call('getMission', { id: mission.id })
  const next = all.find((one) => !['complete', 'launching', 'executing'].includes(one.state))
  const { runners } = await client.call('listRunners', {})
  const agents = new Set(runners.flatMap((runner) => runner.agents))
  const { webhooks } = await client.call('listWebhooks', {})
  const clone = join(composed.data.path, 'mine')
  const step = (what: string, command: string) => say(`  ${what}\n    ${command}`)
  say('\nWhat to do next, each as it stands:', 'bold')
  step('see the mission', `${svc} missions show ${mission.displayId}`)
  if (next) {
    const real = [...agents].find((agent) => agent !== 'scripted')
    const launch = `${svc} launch ${next.displayId} --watch --agent`
    step('approve the next objective', `${launch} scripted`)
    if (real) step('or, in its place, give it to a real agent', `${launch} ${real}`)
    else
      say(
        '  with Claude Code or Codex on the PATH of npm start, launch takes --agent claude or codex',
      )
  }
  step('make a project of your own', `${svc} projects create Mine`)
  step(
    'link a repository to it: a clone of this one, or the path of yours',
    `git clone -q . "${clone}" && ${svc} resource link mine "${clone}"`,
  )
  const [subscription] = webhooks
  if (subscription)
    step('see what was sent by webhook', `${svc} webhooks deliveries ${subscription.id}`)
  if (composed.mcpEnabled) {
    const call = '--method tools/call --tool-name svc_load_mission_context --tool-arg'
    say(`  a cloud agent works at ${composed.baseUrl}/mcp`)
    step('make a token for it', `${svc} tokens create "cloud agent" --preset mission_lifecycle`)
    step('list its tools', 'npm run -s inspect -- --method tools/list')
    step(
      'load the mission as it would',
      `npm run -s inspect -- ${call} missionId=${mission.displayId}`,
    )
  } else {
    step('open the endpoint for cloud agents', 'SVC_MCP_ENABLED=true npm start')
  }
  say(`Messages say svc for short; here that is: alias svc='${svc}'`)
  say('Ctrl-C stops everything; the next npm start finds all of it again.')
}
