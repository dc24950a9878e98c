import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Where commands and supervisors, which start often, cache their compiled modules: in the checkout that they run from; for
 * an installed package, whose folder may be another user's, in the user's own cache.
 */
export const compileCache = import.meta.url.endsWith('.ts')
  ? fileURLToPath(new URL('../../../../.svc/cache/compile', import.meta.url))
  : join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'svc', 'compile')
