import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LimitRow } from '../agents/limit-row.ts'
import { acpLimits } from '../agents/limit-rows.ts'
import { contextOf } from './contract-service.ts'
import { openRunnerWorld, type RunnerWorld } from './runner-world.ts'

const agentMain = fileURLToPath(new URL('protocol-agent-main.ts', import.meta.url))

/** The program of an agent `shell` that is spoken with, and does these steps. */
function programOf(folder: string, steps: readonly string[]): string {
  const path = join(folder, 'protocol-agent.sh')
  const quoted = steps.join('\n').replaceAll("'", String.raw`'\''`)
  const lines = [
    '#!/bin/sh',
    `export SVC_TEST_FOLDER='${folder}' SVC_TEST_STEPS='${quoted}'`,
    `exec '${process.execPath}' '${agentMain}' "$@"`,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 })
  return path
}

/** A world whose agent `shell` speaks the Agent Client Protocol. */
export async function openProtocolWorld(
  steps: readonly string[],
  limits: readonly LimitRow[] = acpLimits,
): Promise<RunnerWorld> {
  const world = await openRunnerWorld('true')
  becomeProtocolAgent(world, steps, limits)
  return world
}

/** From the next start of a daemon on. */
export function becomeProtocolAgent(
  { home }: RunnerWorld,
  steps: readonly string[],
  limits: readonly LimitRow[] = acpLimits,
): void {
  const binary = programOf(home.folder, steps)
  const row = { key: 'shell', protocol: 'acp', binary, argv: [], limits }
  writeFileSync(home.agentsFile, JSON.stringify([row]))
}

/** The key of the session that is opened in the name of a step. */
export const sessionKey = 'sess_step'

/** A world whose agent `shell` is a step without a model, and a queued run that may attach. */
export async function attachableStep(script: string) {
  const world = await openRunnerWorld('true')
  const { home, service } = world
  const binary = join(home.folder, 'step.sh')
  writeFileSync(binary, `#!/bin/sh\n[ "$1" = --version ] && exit\n${script}\n`, { mode: 0o755 })
  const row = { key: 'shell', protocol: 'command', binary, argv: [['{message}']] }
  writeFileSync(home.agentsFile, JSON.stringify([row]))
  const assignment = world.queue()
  const session = { objectiveId: assignment.objective.id }
  const reply = { directive: 'continue', pendingAnswers: [], session, sessionKey }
  service.answer('attach', () => ({ status: 200, json: { ...contextOf(assignment), ...reply } }))
  return { world, assignment }
}
