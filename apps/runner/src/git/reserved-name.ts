import { type BranchPlanInput, planBranch } from '@svc/contracts/branch-plan'
import type { AssignedBranches, ReservedBranch } from '@svc/contracts/assigned-branches'
import type { WantedBranch } from '@svc/contracts/runner'
import type { GitOptions } from './git.ts'
import type { NamedCheckout } from './named-checkout.ts'
import type { GoingBranch } from './recorded-branch.ts'
import { commitOf } from './refs.ts'

/** Asks the service which name the mission's next branch has in this resource. */
export type ReserveBranch = (
  wanted: WantedBranch,
) => Promise<{ branches: AssignedBranches; reserved: ReservedBranch }>

export type NamingInput = Omit<BranchPlanInput, 'recorded'>

interface Naming {
  linked: NamedCheckout
  /** The runner that this is. */
  runnerId: string | null
  input: NamingInput
  recorded: { mission: GoingBranch | null; objective: GoingBranch | null }
  options: GitOptions
}

/** The state of a branch that is not in the checkout, or was not looked for. */
export const nothingThere = { tip: undefined, forwardTo: undefined, warnings: [] }

/**
 * The mission's branch that is to be cut, under the name that the first run to ask was given; or what runs have recorded
 * meanwhile. Only who is to work on that branch itself replaces a name that somebody else's branch has here.
 */
export async function settleName(
  { linked: { checkout }, runnerId, input, recorded, options }: Naming,
  reserve: ReserveBranch,
): Promise<{ going: GoingBranch } | { branches: AssignedBranches }> {
  const follows = recorded.mission?.branch ?? null
  const plan = planBranch({ ...input, recorded })
  const worksOnIt = plan.branch === plan.missionBranch
  let wanted: WantedBranch = { branch: plan.missionBranch, follows, insteadOf: null }
  for (;;) {
    const { branches, reserved } = await reserve(wanted)
    const { branch } = reserved
    if (branches.mission !== null && branches.mission.branch !== follows) return { branches }
    const isOurs = reserved.runnerId === runnerId
    const tip = isOurs ? await commitOf(checkout, `refs/heads/${branch}`, options) : undefined
    // cut by a run that goes on at the same time, or by an earlier try of this one
    if (tip !== undefined)
      return { going: { branch, verdict: 'use', startSha: tip, ...nothingThere, tip } }
    const isFree = !input.taken.has(branch)
    if (!worksOnIt || (isOurs && isFree)) return { going: anew(branch) }
    wanted = { branch: isFree ? branch : nextName(input, branch), follows, insteadOf: branch }
  }
}

function anew(branch: string): GoingBranch {
  return { branch, verdict: 'anew', startSha: '', ...nothingThere }
}

function nextName(input: NamingInput, branch: string): string {
  const mission = { branch, verdict: 'next' as const }
  return planBranch({ ...input, recorded: { mission, objective: null } }).missionBranch
}
