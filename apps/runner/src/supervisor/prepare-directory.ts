import { mkdirSync } from 'node:fs'
import { cutText } from '@svc/contracts/cut-text'
import type { Prepared } from '@svc/contracts/assignment'
import type { CheckoutHolder } from '../git/checkout-holders.ts'
import type { Run } from '../run/run.ts'
import { passedOver } from '../plan/locate-resources.ts'
import { scratchPath } from '../plan/paths.ts'
import { rightsWarnings } from '../plan/rights.ts'
import { textForOthers } from '../run/text-for-others.ts'
import { freeWorkingTrees, prepareOthers } from './prepare-others.ts'
import { prepareResource } from './prepare-resource.ts'

const mostWarnings = 20
const warningCharacters = 500

export interface Directory {
  prepared: Prepared
  /** Who the run is in each working tree that it is in: none in a scratch folder. */
  held: { checkout: string; holder: CheckoutHolder }[]
  /** Where the repository keeps what is committed; empty in a scratch folder. */
  gitFolder: string
  /** The same of the other resources that it works in, and where Git keeps what is of one working tree alone. */
  otherGitFolders: string[]
  /** Other resources that it may write to and cannot have, and why. */
  unavailable: ReadonlyMap<string, string>
}

/** Where the agent is to work, its branch checked out; a scratch folder where there is no resource. */
export async function prepareDirectory(run: Run, signal: AbortSignal): Promise<Directory> {
  const { assignment } = run.order
  const { resourceKey } = assignment.executionRequest
  const ofRights = rightsWarnings(run.order).map((text) => shown(run, text))
  if (resourceKey === null) return scratchDirectory(run, ofRights)
  const own = await prepareResource(run, resourceKey, () => assignment, signal)
  try {
    const { taken, unavailable } = await prepareOthers(run, signal)
    const lacking = [...unavailable].map(
      ([key, why]) => `Resource ${key} is not available to this run: ${why}`,
    )
    const { resourceKey: _, ...prepared } = own.prepared
    const ofOthers = taken.flatMap(({ prepared: { resourceKey: key }, warnings }) =>
      warnings.map((text) => `In ${key}: ${text}`),
    )
    const ofPlaces = [...own.warnings, ...lacking, ...ofOthers].map((text) => shown(run, text))
    return {
      prepared: {
        ...prepared,
        warnings: [...ofRights, ...ofPlaces].slice(0, mostWarnings),
        others: taken.map((one) => one.prepared),
        ...(run.order.ephemeral && { pushes: true }),
      },
      held: [own, ...taken].map((one) => ({
        checkout: one.prepared.workingDirectory,
        holder: one.holder,
      })),
      gitFolder: own.gitFolder,
      otherGitFolders: [
        own.treeFolder,
        ...taken.flatMap(({ gitFolder, treeFolder }) => [gitFolder, treeFolder]),
      ],
      unavailable: new Map([...unavailable].map(([key, why]) => [key, shown(run, why)])),
    }
  } catch (error) {
    freeWorkingTrees([own])
    throw error
  }
}

/** As others may read it. */
function shown(run: Run, text: string): string {
  return cutText(textForOthers(text, run.order, run.env), warningCharacters)
}

function scratchDirectory(run: Run, warnings: string[]): Directory {
  const workingDirectory = scratchPath(run.order)
  mkdirSync(workingDirectory, { recursive: true, mode: 0o700 })
  const prepared = {
    workingDirectory,
    branch: null,
    missionBranch: null,
    startSha: null,
    baseSha: null,
    checkout: 'scratch',
    warnings,
    others: [],
  } satisfies Prepared
  const unavailable = passedOver(run.order)
  return { prepared, held: [], gitFolder: '', otherGitFolders: [], unavailable }
}
