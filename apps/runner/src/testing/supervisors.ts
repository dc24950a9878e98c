import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testToken, type RunnerWorld } from './runner-world.ts'

export const main = fileURLToPath(new URL('../supervisor/main.ts', import.meta.url))

/** The folder of a run that was claimed, as if no supervisor had been started yet. */
export async function claimedRun(world: RunnerWorld): Promise<string> {
  world.queue()
  await (
    await world.start({ once: true })
  ).done
  const folder = await world.reached('cleaned')
  resetJournal(folder)
  return folder
}

/** Takes away what a supervisor has written into the journal. */
export function resetJournal(folder: string): void {
  const journal = join(folder, 'journal.ndjson')
  const [claimed] = readFileSync(journal, 'utf8').trim().split('\n')
  writeFileSync(journal, `${claimed}\n`)
}

export function startSupervisor(folder: string) {
  const env = { ...process.env, SVC_USER_TOKEN: testToken }
  const child = spawn(process.execPath, [main, folder], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { child, ended: once(child, 'exit') }
}
