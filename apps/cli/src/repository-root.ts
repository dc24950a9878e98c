import { fileURLToPath } from 'node:url'

/** The checkout that this program runs from; undefined where it was installed, which has no sources. */
export const repositoryRoot = import.meta.url.endsWith('.ts')
  ? fileURLToPath(new URL('../../../', import.meta.url))
  : undefined
