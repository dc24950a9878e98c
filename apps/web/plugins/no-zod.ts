import type { Plugin } from 'vite'

/** This table needs functions in the browser, so that it cannot be computed at build; its schemas are not used there. */
const withoutSchemas = /\/packages\/contracts\/src\/(step-row|terminal-steps)\.ts$/

const stub = '\0svc:no-zod'

/**
 * The contracts are types in the app. What imports their schemas by mistake would bring all of zod with it: the build
 * fails, and says who. The one exception gets something in place of zod that every schema can be written with.
 */
export function noZod(): Plugin {
  return {
    name: 'svc:no-zod',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (source !== 'zod') return undefined
      if (withoutSchemas.test(importer)) return stub
      throw new Error(
        `${importer} brings zod into the app: import its types alone, or compute what is needed in a .values.ts file.`,
      )
    },
    load: (id) =>
      id === stub
        ? 'const any = () => schema; const schema = new Proxy(any, { get: () => any }); export const z = schema'
        : undefined,
  }
}
