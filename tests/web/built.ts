import { findOrBuild } from '@svc/web/cached'

/** The folder of the web app as it is built from these sources, once for all tests that come after. */
export async function builtWebApp(): Promise<string> {
  const found = findOrBuild('awaited')
  return typeof found === 'string' ? found : found.folder
}
