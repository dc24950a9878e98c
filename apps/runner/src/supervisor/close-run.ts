import { rmSync } from 'node:fs'
import { hasSaidAll } from '../run/last-report.ts'
import type { Run } from '../run/run.ts'
import { cleanUpRun } from './prepare.ts'
import { checkTmpOf } from './run-check.ts'
import { removeUnused } from './remove-unused.ts'

/** A run is over only once its end is reported: until then its folder is the next daemon's to recover. */
export async function closeRun(run: Run): Promise<void> {
  if (!hasSaidAll(run)) return
  cleanUpRun(run)
  await removeUnused(run)
  removeScratch(run)
  run.record({ step: 'cleaned' })
}

function removeScratch(run: Run): void {
  const { tmpDirectory, log } = run
  try {
    for (const path of [checkTmpOf(run), tmpDirectory])
      rmSync(path, { recursive: true, force: true })
  } catch (error) {
    // Agents leave folders there that are protected against writing.
    log.warn({ err: error }, 'the scratch folder of the run could not be removed')
  }
}
