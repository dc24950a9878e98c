import type { Client } from '@svc/client/client'
import type { AdvisedStep } from '@svc/contracts/advised-step'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { isClosed, isLive } from '@svc/contracts/states'
import { stepPermission } from '@svc/contracts/step-permission'
import { hasOrigin } from '@svc/runner/git/refs'
import { isUnmerged } from '../branches/find-branch.ts'
import { type Step, stepOf } from '../output/next-step.ts'
import { ownRights } from '../output/own-rights.ts'
import { shellWord } from '@svc/contracts/shell-words'
import type { Review, Section } from './read-review.ts'

/** What a person may do next with what was reviewed, each as a command that works as it stands. */
export async function reviewSteps(client: Client, review: Review): Promise<Step[]> {
  const [all, rights] = await Promise.all([allSteps(client, review), ownRights(client)])
  return all.flatMap((step) => {
    if (!('next' in step)) return [step]
    const needed = stepPermission(step.next)
    const isOwn = needed === undefined || rights === undefined || rights.has(needed)
    return isOwn ? [stepOf(step)] : []
  })
}

/** A step that is taken at the service, or what is done with Git alone. */
async function allSteps(client: Client, review: Review): Promise<(AdvisedStep | Step)[]> {
  const { mission, runs, sections, ref } = review
  const branches = await Promise.all(sections.map((one) => branchSteps(review, one)))
  const merged = sections.some(({ found }) => found.state === 'merged' && found.tip !== undefined)
  const clearing = merged
    ? [{ why: 'remove what is merged', command: `svc branches remove ${mission.displayId}` }]
    : []
  if (isClosed(mission.phase)) return [...branches.flat(), ...clearing]
  if (runs.some(isLive)) {
    return [{ why: 'it is still at work', command: `svc missions watch ${mission.displayId}` }]
  }
  const ofMission = mission.phase === 'review' ? verdicts(review) : await unfinished(client, ref)
  return [...branches.flat(), ...ofMission, ...clearing]
}

function verdicts({ branches, ref }: Review): AdvisedStep[] {
  const open = branches.some(isUnmerged)
  return [
    {
      why: open ? 'or close it without merging' : 'nothing is left: close it',
      next: { operation: 'acceptMission', params: { id: ref } },
    },
    {
      why: 'or say what is to be different',
      next: { operation: 'askForChanges', params: { id: ref } },
    },
  ]
}

/** What brings a mission to its review, but for reading the deliveries, which are shown here. */
async function unfinished(client: Client, id: string): Promise<AdvisedStep[]> {
  const { nextSteps } = await client.call('getMissionOverview', { id })
  return nextSteps.filter(({ next }) => next.operation !== 'listDeliveries')
}

/** The command that is about one of them alone. */
export function reviewCommand(
  ref: string,
  { objective, resourceKey }: MissionBranch,
  all: readonly MissionBranch[],
): string {
  const one = all.length > 1 ? ` --resource ${resourceKey}` : ''
  return `svc review ${objective ?? ref}${one}`
}

async function branchSteps({ ref, sections }: Review, { found }: Section): Promise<Step[]> {
  const { recorded, checkout, tip, worktree, isRunners, origin, state } = found
  if (checkout === undefined || state === 'merged' || state === 'empty') return []
  const { branch, baseBranch } = recorded
  const all = sections.map((one) => one.found.recorded)
  const review = reviewCommand(ref, recorded, all)
  if (tip === undefined && origin === undefined) return []
  const tryIt =
    worktree !== undefined && !worktree.isGone
      ? [{ why: `try ${branch} where it is`, command: `cd ${shellWord(worktree.path)}` }]
      : []
  const checkingOut = `${isRunners ? 'or in' : 'try it in'} ${checkout}`
  const pushing = (await hasOrigin(checkout, {})) && tip !== undefined
  return [
    ...tryIt,
    ...(worktree === undefined || isRunners
      ? [{ why: checkingOut, command: `${review} --checkout` }]
      : []),
    { why: `merge it into ${baseBranch} in ${checkout}`, command: `${review} --merge` },
    ...(pushing ? [{ why: 'or push the branch to origin', command: `${review} --push` }] : []),
  ]
}
