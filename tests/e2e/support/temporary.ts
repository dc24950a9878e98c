import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that a database's own user can pass through; its name has a space, as people's folders have. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svc e2e '))
  chmodSync(folder, 0o711)
  return folder
}
