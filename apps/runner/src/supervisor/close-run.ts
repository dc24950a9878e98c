import { rmSync } from 'node:fs'
import { hasSaidAll } from '../run/last-report.ts'
import type { Run } from '../run/run.ts'
import { cleanUpRun } from './prepare.ts'
import { removeUnused } from './remove-unused.ts'

/** A run is over only once its end is reported: until then its folder is the next daemon's to recover. */
export async function closeRun(run: Run): Promise<void> {
  if (!hasSaidAll(run)) return
  cleanUpRun(run)
  await removeUnused(run)
  removeScratch(run)
  run.record({ step: 'cleaned' })
}

function removeScratch({ tmpDirectory, log }: Run): void {
  try {
    rmSync(tmpDirectory, { recursive: true, force: true })
  } catch (error) {
    // Agents leave folders there that are protected against writing.
    log.warn({ err: error }, 'the scratch folder of the run could not be removed')
  }
}
