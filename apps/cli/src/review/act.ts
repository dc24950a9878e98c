import type { Client } from '@svc/client/client'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { ServiceError, isServiceError } from '@svc/contracts/errors'
import { isObjectiveDisplayId } from '@svc/contracts/ids'
import { isClosed } from '@svc/contracts/states'
import type { Home } from '@svc/runner/files/home'
import { type Cli, say, write } from '../cli.ts'
import type { FoundBranch } from '../branches/find-branch.ts'
import { refuse } from '../branches/refuse.ts'
import { closedWithout, leftUnmerged } from '../branches/unmerged.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, isUnreachable, usageFailure } from '../output/failure.ts'
import { leftUndone } from '../output/left-undone.ts'
import { oneLine } from '../output/terminal.ts'
import { checkOut } from './check-out.ts'
import { merge } from './merge.ts'
import { push, pushBase } from './push.ts'
import type { Review } from './read-review.ts'
import { reviewCommand } from './steps.ts'

/** What a person wants done, in this order. */
export interface Verbs {
  checkout?: true
  merge?: true
  push?: true
  accept?: true
}

export function refuseContradictions(verbs: Verbs & { changes?: string; launch?: true }): void {
  const { checkout, merge: merges, accept: accepts, changes, launch } = verbs
  if (checkout && merges) {
    throw usageFailure('--checkout and --merge want the checkout on different branches: give one.')
  }
  if (accepts && changes !== undefined) {
    throw usageFailure('--accept closes the mission, and --changes goes on with it: give one.')
  }
  if (launch && changes === undefined) {
    throw usageFailure('--launch launches what --changes adds: give both, or run svc launch.')
  }
  if (changes !== undefined && changes.trim() === '') {
    throw usageFailure('Say what is to be different: --changes "…".')
  }
}

export interface Done {
  did: keyof Verbs
  told: string
}

/** Does one after the other; the first that cannot be done ends it, and what was done before stays. */
export async function act(
  cli: Cli,
  client: Client,
  home: Home,
  { review, verbs }: { review: Review; verbs: Verbs },
): Promise<Done[]> {
  const done: Done[] = []
  try {
    for (const { did, work } of worksOf(client, home, review, verbs)) {
      const told = await work()
      done.push({ did, told })
      if (!cli.settings.json) await write(cli, oneLine(told))
    }
  } catch (error) {
    throw afterwards(error, { done })
  }
  if (cli.settings.json) return done
  if (verbs.accept) for (const remark of leftUndone(review)) say(cli, oneLine(remark))
  const unmerged = await leftUnmerged(client, home, review.mission.id)
  for (const remark of remarks(review, unmerged, verbs)) say(cli, oneLine(remark))
  return done
}

interface Standing {
  done: readonly Done[]
  /** The objective that --changes has added: whoever repeats the command adds another one. */
  added?: string
}

/** The failure, and what stands all the same. */
export function afterwards(error: unknown, { done, added }: Standing): unknown {
  const verbs = [
    ...done.map(({ did }) => `--${did}`),
    ...(added === undefined ? [] : ['--changes']),
  ]
  if (verbs.length === 0) return error
  const launching =
    added === undefined ? '' : ` ${added} is added: svc launch ${added} launches it.`
  const stays = `Done before, and stays: ${verbs.join(', ')}.${launching}`
  if (error instanceof CommandFailure) {
    const message = `${error.message} ${stays}`
    return new CommandFailure(error.code, message, error.exitCode, { cause: error })
  }
  if (isUnreachable(error)) {
    const message = `${error.message} ${stays}`
    return new CommandFailure('unreachable', message, exitCode.unreachable, { cause: error })
  }
  if (!isServiceError(error)) return error
  const { code, message, details, next } = error
  return new ServiceError(code, `${message} ${stays}`, details, {
    cause: error,
    ...(next && { next }),
  })
}

function worksOf(client: Client, home: Home, review: Review, verbs: Verbs) {
  const works: { did: keyof Verbs; work: () => Promise<string> }[] = []
  if (verbs.checkout || verbs.merge || verbs.push) {
    const { found, checkout } = requireBranch(review)
    const { branch, baseBranch } = found.recorded
    if (verbs.checkout) works.push({ did: 'checkout', work: () => checkOut(home, found, checkout) })
    if (verbs.merge) works.push({ did: 'merge', work: () => merge(home, found, checkout) })
    const pushing = () => (verbs.merge ? pushBase(checkout, baseBranch) : push(checkout, branch))
    if (verbs.push) works.push({ did: 'push', work: pushing })
  }
  if (verbs.accept) works.push({ did: 'accept', work: () => accept(client, review) })
  return works
}

async function accept(client: Client, review: Review): Promise<string> {
  const { id } = review.mission
  // of one objective its own delivery was read, which need not be the newest
  const seen = !isObjectiveDisplayId(review.ref) && {
    expectedDeliveryId: review.delivery?.id ?? null,
  }
  const { mission, alreadyClosed } = await client.call('acceptMission', { id, ...seen })
  const { displayId, status } = mission
  return alreadyClosed
    ? `${displayId} is closed already.`
    : `${displayId} is accepted: ${status.label}.`
}

/** The mission's own branch, or the only one that is left. */
function requireBranch(review: Review): { found: FoundBranch; checkout: string } {
  const all = review.sections.map(({ found }) => found)
  const own = all.filter(({ recorded }) => recorded.objectiveId === null)
  const [found, another] = own.length > 0 ? own : all
  if (found === undefined) {
    refuse('no_branch', `${review.ref} has no recorded branch: no run has worked in a repository.`)
  }
  if (another !== undefined) {
    const keys = [...new Set(all.map(({ recorded }) => recorded.resourceKey))].join(', ')
    throw usageFailure(`${review.ref} has branches in ${keys}: name one with --resource.`)
  }
  const { checkout, recorded } = found
  if (checkout === undefined) {
    refuse(
      'not_linked',
      `Resource ${recorded.resourceKey} has no usable checkout linked on this machine, and branch ${recorded.branch} is on runner ${recorded.runnerLabel}: see svc resource link --help.`,
    )
  }
  return { found, checkout }
}

/** What the next step is, by what is merged now. */
function remarks(
  { ref, mission: { displayId, phase }, branches }: Review,
  unmerged: readonly MissionBranch[],
  { accept: accepted }: Verbs,
): string[] {
  const [first] = unmerged
  const wasClosed = isClosed(phase)
  if (first === undefined) {
    const clearing = `Clear up: svc branches remove ${displayId}`
    return [accepted || wasClosed ? clearing : `Close it: svc review ${ref} --accept`]
  }
  if (accepted) return closedWithout(displayId, unmerged)
  const all = branches.map(({ recorded }) => recorded)
  const merging = `${reviewCommand(displayId, first, all)} --merge`
  const closing = wasClosed ? [] : [`Or close it without merging: svc review ${ref} --accept`]
  return [`Take it over: ${merging}`, ...closing]
}
