import { rmSync } from 'node:fs'
import { hasSaidAll } from '../run/last-report.ts'
import type { Run } from '../run/run.ts'
import { cleanUpRun } from './prepare.ts'

/** A run is over only once its end is reported: until then its folder is the next daemon's to recover. */
export function closeRun(run: Run): void {
  if (!hasSaidAll(run)) return
  cleanUpRun(run)
  rmSync(run.tmpDirectory, { recursive: true, force: true })
  run.record({ step: 'cleaned' })
}
