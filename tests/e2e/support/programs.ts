import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where everything was packed for the tests (scripts/pack/before-tests.ts). */
const packed = process.env['SVC_TEST_PACKED']

function programOf(path: string, source: string): string {
  return packed === undefined ? fileURLToPath(source) : join(packed, path, 'dist/main.js')
}

/** What tests start, as it is installed and as images have it; that of this checkout where nothing was packed. */
export const programs = {
  svc: programOf('svc', import.meta.resolve('@svc/cli/main')),
  api: programOf('apps/api', import.meta.resolve('@svc/api/main')),
  'mcp-gateway': programOf('apps/mcp-gateway', import.meta.resolve('@svc/mcp-gateway/main')),
  dispatcher: programOf('apps/dispatcher', import.meta.resolve('@svc/dispatcher/main')),
  admin: programOf('apps/admin', import.meta.resolve('@svc/admin/main')),
}
