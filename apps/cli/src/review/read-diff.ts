import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import { plainDiff } from '@svc/runner/git/diff'
import { git, gitIfPossible } from '@svc/runner/git/git'
import { commitOf, findBase } from '@svc/runner/git/refs'
import { lookAtOrigin } from '../branches/at-origin.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { notesOnChanges, readChanges } from '../output/run-changes.ts'
import type { Section } from './read-review.ts'

/** What a branch changes. Text of others: it is not yet fit for a terminal. */
export interface ReviewDiff {
  /** The branch as it is here or was last fetched, or what its last run uploaded of its own changes. */
  source: 'git' | 'run' | 'none'
  stat: string
  patch: string
  /** Sentences about what is shown, and how to see what is not. */
  notes: string[]
}

export async function readDiff(client: Client, section: Section): Promise<ReviewDiff> {
  const { checkout, tip, origin } = section.found
  const commit = tip ?? origin
  const own = checkout && commit ? await ofGit(section, checkout, commit) : undefined
  return own ?? (await ofLastRun(client, section))
}

async function ofGit(
  { found: { recorded, state } }: Section,
  checkout: string,
  tip: string,
): Promise<ReviewDiff | undefined> {
  const base = await findBase(checkout, recorded.baseBranch)
  const start = await commitOf(checkout, recorded.startSha)
  const fork = base && (await gitIfPossible(checkout, ['merge-base', base, tip]))?.trim()
  // a branch that was merged has nothing that its base lacks
  const from = state === 'merged' && start !== undefined ? start : (fork ?? start)
  if (from === undefined) return undefined
  const range = [from, tip, '--']
  const stat = await git(checkout, ['diff', '--stat=100', ...plainDiff, ...range])
  const patch = await gitIfPossible(checkout, ['diff', '--patch', ...plainDiff, ...range])
  const command = `git -C ${shellWord(checkout)} diff ${from.slice(0, 12)} ${tip.slice(0, 12)}`
  const notes = patch === undefined ? [`The diff is too long to be shown here: ${command}`] : []
  return { source: 'git', stat, patch: patch ?? '', notes }
}

/** The service keeps no more of a run than its own changes, and those up to a size. */
async function ofLastRun(client: Client, section: Section): Promise<ReviewDiff> {
  const { recorded, checkout } = section.found
  const notes = [await howToFetch(section, checkout)]
  const answer = await uploadedDiff(client, section)
  if (answer === undefined) {
    return {
      source: 'none',
      stat: '',
      patch: '',
      notes: ['No run has uploaded what it changed.', ...notes],
    }
  }
  notes.unshift(
    `Branch ${recorded.branch} is not here: this is what its last run uploaded of its own changes.`,
  )
  notes.push(...notesOnChanges(answer.changes))
  const lines = answer.files.map(
    (one) => `${one.filePath} | +${one.additions ?? '?'} -${one.deletions ?? '?'}\n`,
  )
  const patch = answer.files.map((one) => one.patch ?? '').join('')
  return { source: 'run', stat: lines.join(''), patch, notes }
}

async function uploadedDiff(client: Client, { runs }: Section) {
  for (const { id } of runs) {
    try {
      return await readChanges(client, id, true)
    } catch (error) {
      if (!isServiceError(error) || error.code !== 'not_found') throw error
    }
  }
  return undefined
}

async function howToFetch({ found }: Section, checkout: string | undefined): Promise<string> {
  const { branch, runnerLabel, resourceKey } = found.recorded
  const name = shellWord(branch)
  if (checkout === undefined) {
    return `Resource ${resourceKey} is not linked on this machine: svc resource link --help`
  }
  const state = await lookAtOrigin(checkout, branch)
  if (state === 'there')
    return `It is at origin: git -C ${shellWord(checkout)} fetch origin ${name}`
  if (state === 'unreachable') {
    return `It may be at origin, which cannot be reached from here; else it is on runner ${runnerLabel}.`
  }
  if (state === 'none')
    return `It is on runner ${runnerLabel}, and ${checkout} has no origin: fetch it from there by hand.`
  return `It is on runner ${runnerLabel} and not at origin; there: git push origin ${name}`
}
