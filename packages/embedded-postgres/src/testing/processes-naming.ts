import { spawnSync } from 'node:child_process'

/** Processes that were started with this path. */
export function processesNaming(folder: string): string[] {
  const answer = spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' })
  return answer.stdout.split('\n').filter(Boolean)
}
