import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/**
 * A file that is named `….values.ts` is run while the app is built, and what it exports is written into the app as
 * constants: the app knows what the contracts say, and loads neither them nor zod.
 */
export function valuesAtBuild(): Plugin {
  return {
    name: 'svc:values-at-build',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.values.ts')) return undefined
      const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(id).href)
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${constant(name, value, id)}`)
        .join('\n')
    },
  }
}

function constant(name: string, value: unknown, id: string): string {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'function' && typeof part !== 'symbol') return part
    throw new Error(`${name} of ${id} holds a ${typeof part}: only data can be computed at build.`)
  })
  if (text === undefined) throw new Error(`${name} of ${id} is undefined.`)
  // the prefix tells the bundler that a table which nobody uses may be left out
  return `/* @__PURE__ */ JSON.parse(${JSON.stringify(text)})`
}
