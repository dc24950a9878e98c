/** Plants one mistake in the product as it is loaded, and looks for it: the answer is JSON on standard output. */
import type { Defect } from './defects.ts'
import { plant } from './plant.ts'

export interface SearchTask {
  defect: Defect
  /** It is looked for in the product as it is, too: there nothing may be noticed. */
  isPlanted: boolean
  databaseUrl: string
  seed: number
  sequences: number
  steps: number
  /** No more sequences are begun after them. */
  seconds?: number
}

export interface SearchResult {
  operations: number
  /** What noticed, and how. */
  noticed?: { by: string; message: string }
}

if (import.meta.main) {
  // written by the parent, which is of the same source
  const task = JSON.parse(process.argv[2] ?? '') as SearchTask
  if (task.isPlanted) plant(task.defect)
  const { seek } = await import('./seek.ts')
  process.stdout.write(JSON.stringify(await seek(task)))
}
