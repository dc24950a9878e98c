import { shellWord } from '@svc/contracts/shell-words'
import type { Home } from '../files/home.ts'
import { type Claimant, describeClaimant } from '../run/claimant.ts'
import { claimantOf, findRunOrder, requestOf } from '../run/run-folder.ts'

/** Of runs that a daemon leaves alone a sentence for each whose they are: how they are taken up, and how let go of. */
export function sayLeftAlone(home: Home, folders: readonly string[]): string[] {
  const groups = new Map<string, { login: string; runs: string[] }>()
  for (const folder of folders) {
    const claimant = claimantOf(folder)
    if (claimant === undefined) continue
    const whose = describeClaimant(claimant)
    const { login, runs } = groups.get(whose) ?? { login: loginOf(claimant), runs: [] }
    groups.set(whose, { login, runs: [...runs, folder] })
  }
  const here = `--runner-home ${shellWord(home.folder)}`
  return [...groups].map(([whose, { login, runs }]) => {
    const names = runs.map(nameOf).join(', ')
    const ids = [...new Set(runs.map(requestOf))].join(' ')
    return `Runs of ${whose} are not over and left alone here (${names}): to take them up, stop this runner and start one for that login (svc login ${login}, then svc runner start ${login} ${here}); to let go of them: svc runner forget ${ids} ${here}`
  })
}

function nameOf(folder: string): string {
  return findRunOrder(folder)?.assignment.objective.displayId ?? requestOf(folder)
}

function loginOf({ service, person }: Claimant): string {
  const url = `--url ${shellWord(service)}`
  return person === undefined ? url : `${url} --workspace ${shellWord(person.workspace)}`
}
