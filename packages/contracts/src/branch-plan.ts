import { slugOf } from './slug.ts'

const longestBranchSlug = 48

/** Whether a branch is in a place, and whether it holds the last commit that was recorded of it. */
export type Presence = 'absent' | 'lacking' | 'whole'

/** What Git says in one checkout of a branch that was recorded for its resource. */
export interface BranchFacts {
  /** Something was committed on it since it was cut. */
  hasWork: boolean
  /** The last commit is in the base, as it is or squashed. */
  merged: boolean
  here: Presence
  /** The branch at `origin`; asked only when nothing else decides. */
  origin: Presence | 'unasked' | 'unreachable'
  /** The runner that worked on it last is this one. */
  sameRunner: boolean
  /** That one is gone with all that it had: what is not at `origin` is nowhere. */
  runnerGone: boolean
}

/** Such a branch is used, cut anew under its name, or followed by the next; or it cannot be gone on with here. */
export type BranchVerdict = Going | 'ask_origin' | 'network' | 'gone' | 'elsewhere'
type Going = 'use' | 'anew' | 'next'

/** What to do about a recorded branch, in this order. Work that is nowhere to be found is never taken for merged. */
export function judgeBranch(facts: BranchFacts): BranchVerdict {
  if (!facts.hasWork) {
    if (facts.here !== 'absent') return 'use'
    // a run that ended before it could report may have pushed
    if (facts.origin === 'unasked') return 'ask_origin'
    return facts.origin === 'whole' ? 'use' : 'anew'
  }
  if (facts.merged) return 'next'
  if (facts.here === 'whole') return 'use'
  if (facts.origin === 'unasked') return 'ask_origin'
  if (facts.origin === 'whole') return 'use'
  if (facts.origin === 'unreachable') return 'network'
  if (facts.runnerGone) {
    const isNowhere = facts.here === 'absent' && facts.origin === 'absent'
    return isNowhere ? 'anew' : 'use'
  }
  return facts.sameRunner ? 'gone' : 'elsewhere'
}

interface Recorded {
  branch: string
  verdict: Going
}

export interface BranchPlanInput {
  mission: { title: string; sequence: number; activeBranch: string | null }
  objectiveKey: string
  /** A sibling with an older live request uses the same resource. */
  siblingIsOlder: boolean
  useWorktrees: boolean
  /** The branches recorded for this resource, each with the verdict whether a run can go on with it. */
  recorded: { mission: Recorded | null; objective: Recorded | null }
  /** Every branch here or at `origin`: one that is not recorded is somebody else's. */
  taken: ReadonlySet<string>
}

export interface BranchPlan {
  branch: string
  /** What the branch is cut from; null where it is there already. */
  cutFrom: 'base' | 'mission' | null
  missionBranch: string
}

/** Which branch a run works on. Pure: the server's preview and the runner read the same plan. */
export function planBranch(input: BranchPlanInput): BranchPlan {
  const mission = planMissionBranch(input)
  const missionBranch = mission.branch
  const own = input.recorded.objective
  const cutFrom = mission.isThere ? 'mission' : 'base'
  if (own?.verdict === 'use') return { branch: own.branch, cutFrom: null, missionBranch }
  if (own?.verdict === 'anew') return { branch: own.branch, cutFrom, missionBranch }
  if (input.siblingIsOlder && input.useWorktrees) {
    const first = `${missionBranch}-${input.objectiveKey}`
    return { branch: firstFree(first, first, input.taken), cutFrom, missionBranch }
  }
  return { branch: missionBranch, cutFrom: mission.isThere ? null : 'base', missionBranch }
}

function planMissionBranch({ mission, recorded, taken }: BranchPlanInput) {
  const first = `${slugOf(mission.title, longestBranchSlug) || 'mission'}-${mission.sequence}`
  const known = recorded.mission
  if (known === null) {
    return { branch: firstFree(first, mission.activeBranch ?? first, taken), isThere: false }
  }
  if (known.verdict === 'next')
    return { branch: nextFree(first, known.branch, taken), isThere: false }
  return { branch: known.branch, isThere: known.verdict === 'use' }
}

function firstFree(first: string, wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? nextFree(first, wanted, taken) : wanted
}

/** The next number behind a name that is no longer free: name-2, name-3. */
function nextFree(first: string, last: string, taken: ReadonlySet<string>): string {
  const number = last.startsWith(`${first}-`) ? Number(last.slice(first.length + 1)) : 1
  let cycle = (Number.isSafeInteger(number) ? number : 1) + 1
  while (taken.has(`${first}-${cycle}`)) cycle += 1
  return `${first}-${cycle}`
}
