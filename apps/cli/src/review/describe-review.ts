import type { Cli } from '../cli.ts'
import { whereIs } from '../branches/find-branch.ts'
import { describeArtifacts, describeChanges } from '../output/describe-delivery.ts'
import { describeChecks } from '../output/describe-checks.ts'
import { describeHead } from '../output/describe-mission.ts'
import { localTime } from '../output/local-time.ts'
import { oneLine, paint, sanitize } from '../output/terminal.ts'
import { paintDiff } from './paint-diff.ts'
import type { ReviewDiff } from './read-diff.ts'
import type { Review, Section } from './read-review.ts'

/** A section with what is read of its repository. */
export interface ReadSection {
  section: Section
  diff: ReviewDiff
  /** What a person should know before anything else. */
  warnings: readonly string[]
}

/** All of it but for the steps, for whoever reads it in a terminal or a file. */
export async function describeReview(
  cli: Cli,
  review: Review,
  sections: readonly ReadSection[],
  { stat }: { stat: boolean },
): Promise<string> {
  const parts = [
    await describeHead(cli, review.mission),
    ...(await describeDelivered(cli, review)),
    describeChanges(cli, review.otherChanges),
  ]
  for (const one of sections) parts.push(...(await describeSection(cli, one, stat)))
  if (sections.length === 0) parts.push('No run has recorded a branch: there is nothing to merge.')
  return parts.filter((part) => part !== '').join('\n\n')
}

async function describeDelivered(cli: Cli, { delivery, objectives }: Review): Promise<string[]> {
  if (delivery === undefined) return ['Nothing was delivered yet.']
  const objective = objectives.find(({ id }) => id === delivery.objectiveId)
  const head = `Delivered by ${objective?.displayId ?? 'a deleted objective'}, ${localTime(delivery.createdAt)}`
  return [
    paint('bold', head, cli.stdout),
    describeChecks(delivery.checks),
    sanitize(delivery.report.presentation.markdown),
    await describeArtifacts(cli, delivery),
  ]
}

async function describeSection(
  cli: Cli,
  { section, diff, warnings }: ReadSection,
  stat: boolean,
): Promise<string[]> {
  const { found, changes } = section
  const { recorded } = found
  const { details } = await import('../output/table.ts')
  const fields = {
    branch: recorded.branch,
    of: recorded.objectiveId === null ? null : (recorded.objective ?? 'a deleted objective'),
    where: whereIs(found),
    base: recorded.baseBranch,
    state: stateIn[found.state],
    'last commit': (found.tip ?? found.origin ?? recorded.lastSha).slice(0, 12),
  }
  const said = [...warnings.map((text) => `warning: ${text}`), ...diff.notes]
  return [
    `${paint('bold', `Resource ${recorded.resourceKey}`, cli.stdout)}\n${details(fields, cli.stdout)}`,
    said.map(oneLine).join('\n'),
    describeChanges(cli, changes),
    stat || diff.patch === '' ? sanitize(diff.stat).trimEnd() : paintDiff(diff.patch, cli.stdout),
  ]
}

const stateIn = {
  empty: 'nothing was committed',
  merged: 'merged',
  open: 'not merged',
  unknown: null,
} as const
