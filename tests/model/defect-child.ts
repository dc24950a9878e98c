/** Plants one mistake in the product as it is loaded, and looks for it: the answer is JSON on standard output. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Defect } from './defects.ts'

export interface Errand {
  defect: Defect
  databaseUrl: string
  seed: number
  sequences: number
  steps: number
  /** No more sequences are begun after them. */
  seconds?: number
}

export interface Sought {
  operations: number
  /** What noticed, and how. */
  noticed?: { by: string; message: string }
}

export const root = fileURLToPath(new URL('../../', import.meta.url))

if (import.meta.main) {
  // written by the parent, which is of the same source
  const errand = JSON.parse(process.argv[2] ?? '') as Errand
  plant(errand.defect)
  const { seek } = await import('./seek.ts')
  process.stdout.write(JSON.stringify(await seek(errand)))
}

function plant({ file, text, replacement }: Defect): void {
  const target = pathToFileURL(`${root}${file}`).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== target) return loaded
      const source = readFileSync(fileURLToPath(url), 'utf8').replace(text, () => replacement)
      return { ...loaded, source }
    },
  })
}
