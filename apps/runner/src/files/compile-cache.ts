import { fileURLToPath } from 'node:url'

/** What commands and supervisors, which start often, keep of their compiled modules. */
export const compileCache = fileURLToPath(
  new URL('../../../../.svc/cache/compile', import.meta.url),
)
