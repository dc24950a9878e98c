import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A change of one place of the product. */
export interface Mistake {
  name: string
  /** In the repository. */
  file: string
  /** Stands there exactly once. */
  text: string
  replacement: string
}

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Into the product as this process loads it; nothing of it may have been loaded before. */
export function plant({ file, text, replacement }: Mistake): void {
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
