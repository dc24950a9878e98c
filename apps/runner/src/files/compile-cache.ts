import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What commands and supervisors, which start often, keep of their compiled modules: in the checkout that they run from,
 * and where they were installed, which may be another's folder, in the person's own cache.
 */
export const compileCache = import.meta.url.endsWith('.ts')
  ? fileURLToPath(new URL('../../../../.svc/cache/compile', import.meta.url))
  : join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'svc', 'compile')
