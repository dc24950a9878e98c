import { fileURLToPath } from 'node:url'

/** The checkout that this program runs from. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))
