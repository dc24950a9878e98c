import { readOffered } from '@svc/runner/daemon/offered'
import { findDaemon } from '@svc/runner/daemon/home-lock'
import { readDevice } from '@svc/runner/files/fingerprint'
import type { Home } from '@svc/runner/files/home'
import { reportResources } from '@svc/runner/files/resources'
import { describeClaimant } from '@svc/runner/run/claimant'
import { isRefused } from '@svc/runner/run/journal'
import { claimantOf, listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { localHolds } from './local-holds.ts'

/** What is known from the runner's folder, whether its daemon lives or not. */
export function localStatus(home: Home) {
  return {
    home: home.folder,
    daemon: findDaemon(home) ?? null,
    /** The most that the running daemon lets agents do. */
    maxRights: readOffered(home)?.maxRights ?? null,
    device: readDevice(home).device.label,
    resources: reportResources(home),
    heldAgents: localHolds(home),
    runs: listUnfinishedRuns(home).map(({ folder, steps }) => ({
      folder,
      /** For whom it was claimed. */
      of: describeIfKnown(claimantOf(folder)),
      /** `refused` from then on that the service takes the token no more, whatever the run does meanwhile. */
      step: isRefused(steps) ? ('refused' as const) : (steps.at(-1)?.step ?? 'claimed'),
    })),
  }
}

function describeIfKnown(claimant: ReturnType<typeof claimantOf>): string | null {
  return claimant === undefined ? null : describeClaimant(claimant)
}
