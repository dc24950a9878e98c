import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acpLimits } from '../agents/limit-rows.ts'
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
export async function openProtocolWorld(steps: readonly string[]): Promise<RunnerWorld> {
  const world = await openRunnerWorld('true')
  becomeProtocolAgent(world, steps)
  return world
}

/** From the next start of a daemon on. */
export function becomeProtocolAgent({ home }: RunnerWorld, steps: readonly string[]): void {
  const binary = programOf(home.folder, steps)
  const row = { key: 'shell', protocol: 'acp', binary, argv: [], limits: acpLimits }
  writeFileSync(home.agentsFile, JSON.stringify([row]))
}
