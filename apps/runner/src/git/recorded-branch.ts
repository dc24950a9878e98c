import { type BranchFacts, judgeBranch } from '@svc/contracts/branch-plan'
import type { RecordedBranch } from '@svc/contracts/assigned-branches'
import type { RunnerStep } from '@svc/contracts/next-step'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { type GitOptions } from './git.ts'
import { type AtOrigin, askOrigin } from './origin.ts'
import type { NamedCheckout } from './named-checkout.ts'
import { commitOf, holdsCommit, holdsWork } from './refs.ts'

/** A recorded branch that can be gone on with in this checkout. */
export interface GoingBranch {
  branch: string
  verdict: 'use' | 'anew' | 'next'
  /** Where it was cut, for one that is used. */
  startSha: string
  /** Where it is here, or at `origin` when it is only there. */
  tip: string | undefined
  /** The commit at `origin` that it is to be brought up to. */
  forwardTo: string | undefined
  warnings: string[]
}

export interface Search {
  linked: NamedCheckout
  /** The commit of the base. */
  base: string
  /** The recorded runner is this one. */
  sameRunner: boolean
  /** What brings the branch to `origin`, at the runner that has it. */
  push: RunnerStep | undefined
  /** The options of a launch that begins anew in this resource. */
  anew: string
  options: GitOptions
}

/** Throws what keeps the run from starting where earlier work is neither here nor merged. Decision 42a. */
export async function findRecorded(search: Search, recorded: RecordedBranch): Promise<GoingBranch> {
  const { linked, options } = search
  const here = await commitOf(linked.checkout, `refs/heads/${recorded.branch}`, options)
  const facts = await lookHere(search, recorded, here)
  const first = judgeBranch(facts)
  if (first === 'anew' || first === 'next') return going(recorded, first, undefined)
  // also for a branch that is used: others may have pushed to it
  const origin = await askOrigin(linked.checkout, recorded.branch, options)
  if (first === 'use') return bringUp(search, recorded, here, origin.sha)
  const verdict = judgeBranch({ ...facts, origin: await presence(search, recorded, origin) })
  if (verdict === 'use') return bringUp(search, recorded, here, origin.sha)
  if (verdict === 'anew') {
    return {
      ...going(recorded, 'anew', undefined),
      warnings: facts.hasWork ? [lost(recorded)] : [],
    }
  }
  throw cannotGoOn(search, recorded, { verdict, isHere: here !== undefined, origin: origin.state })
}

async function lookHere(
  { linked: { checkout }, base, sameRunner, options }: Search,
  { startSha, lastSha, runnerGone = false }: RecordedBranch,
  here: string | undefined,
): Promise<BranchFacts> {
  const isWhole = here !== undefined && (await holdsCommit(checkout, here, lastSha, options))
  return {
    // an agent may have moved its branch behind the start
    hasWork: lastSha !== startSha && !(await holdsCommit(checkout, startSha, lastSha, options)),
    // a run that has not reported its end yet may have committed more than was recorded
    merged: await holdsWork(checkout, base, isWhole ? here : lastSha, options),
    here: here === undefined ? 'absent' : isWhole ? 'whole' : 'lacking',
    origin: 'unasked',
    sameRunner,
    runnerGone,
  }
}

async function presence(
  { linked, options }: Search,
  { lastSha }: RecordedBranch,
  { state, sha }: AtOrigin,
): Promise<BranchFacts['origin']> {
  if (state === 'unreachable') return 'unreachable'
  if (sha === undefined) return 'absent'
  return (await holdsCommit(linked.checkout, sha, lastSha, options)) ? 'whole' : 'lacking'
}

/** Fast-forward only: of two that went apart, the one here is used if it has the last commit. */
async function bringUp(
  { linked, options }: Search,
  recorded: RecordedBranch,
  here: string | undefined,
  origin: string | undefined,
): Promise<GoingBranch> {
  const { branch, lastSha } = recorded
  if (here === undefined || origin === undefined) return going(recorded, 'use', here ?? origin)
  if (await holdsCommit(linked.checkout, here, origin, options)) return going(recorded, 'use', here)
  if (await holdsCommit(linked.checkout, origin, here, options)) {
    return { ...going(recorded, 'use', origin), forwardTo: origin }
  }
  const isWhole =
    recorded.startSha === lastSha || (await holdsCommit(linked.checkout, here, lastSha, options))
  if (!isWhole) throw wentApart(linked, branch)
  const warning = `Branch ${branch} in ${linked.name} and the one at origin have gone apart: this run goes on with the one there.`
  return { ...going(recorded, 'use', here), warnings: [warning] }
}

function going(
  { branch, startSha }: RecordedBranch,
  verdict: GoingBranch['verdict'],
  tip: string | undefined,
): GoingBranch {
  return { branch, verdict, startSha, tip, forwardTo: undefined, warnings: [] }
}

function lost({ branch, runnerLabel, lastSha }: RecordedBranch): string {
  return `Branch ${branch} is begun anew: runner ${runnerLabel} was gone before it had pushed what was committed there, up to ${lastSha.slice(0, 12)}.`
}

interface Missing {
  verdict: ReturnType<typeof judgeBranch>
  isHere: boolean
  origin: AtOrigin['state']
}

function cannotGoOn(
  { linked, push: next, anew }: Search,
  recorded: RecordedBranch,
  missing: Missing,
): Error {
  const { branch, lastSha, runnerLabel } = recorded
  if (missing.verdict === 'network') {
    return new LaunchRelease(
      'network',
      `Branch ${branch} may be at origin, which ${linked.name} cannot reach: connect it, or launch again with ${anew}.`,
    )
  }
  if (missing.verdict === 'elsewhere') {
    const hasOrigin = missing.origin !== 'none'
    const push = hasOrigin ? `push it to origin there, ` : ''
    return new LaunchRelease(
      'branch_elsewhere',
      `Branch ${branch} is on runner ${runnerLabel} and not in ${linked.name}: ${push}start that runner, or launch again with ${anew}.`,
      hasOrigin && next ? { next } : {},
    )
  }
  const how = missing.isHere
    ? `no longer holds the mission's last commit ${lastSha}: bring it back with git merge ${lastSha} on it`
    : `is gone; the mission's last commit is ${lastSha}: restore it with git branch ${branch} ${lastSha}`
  return new LaunchFailure(
    'branch_gone',
    `Branch ${branch} in ${linked.name} ${how}, then launch again; or launch with ${anew} to begin anew.`,
    'prepare',
  )
}

function wentApart({ name }: NamedCheckout, branch: string): LaunchFailure {
  return new LaunchFailure(
    'branch_conflict',
    `Branch ${branch} in ${name} and the one at origin have gone apart, and only the latter has the mission's last commit: merge or rename the one there and launch again.`,
    'prepare',
  )
}
