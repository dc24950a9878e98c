import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SearchResult, SearchTask } from './defect-child.ts'
import type { Defect } from './defects.ts'
import { type Mistake, root } from './plant.ts'

const child = fileURLToPath(new URL('defect-child.ts', import.meta.url))

type Order = Omit<SearchTask, 'isPlanted'> & Partial<SearchTask>

/** Runs the search in a process of its own, which dies with the mistake. */
export async function runDefect(order: Order, signal?: AbortSignal): Promise<SearchResult> {
  const task: SearchTask = { isPlanted: true, ...order }
  await requireFits(task.defect)
  const env = { PATH: process.env['PATH'] }
  const args = [child, JSON.stringify(task)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env,
    ...(signal && { signal }),
  })
  // written by the child, which is of the same source
  return JSON.parse(stdout) as SearchResult
}

/**
 * Whether it was noticed by the check that is to notice it, whose name a sentence may follow: a mistake noticed by chance
 * would stay unnoticed another time.
 */
export function isCaught({ noticedBy }: Defect, { noticed }: SearchResult): boolean {
  return noticedBy.some((expected) => `${noticed?.by} `.startsWith(`${expected} `))
}

/** The product was changed where the mistake would be made: without this it would be planted nowhere, and never seen. */
export async function requireFits({ name, file, text }: Mistake): Promise<void> {
  const times = (await readFile(`${root}${file}`, 'utf8')).split(text).length - 1
  if (times === 1) return
  throw new Error(`"${name}" no longer fits: ${file} has its text ${times} times and not once`)
}
