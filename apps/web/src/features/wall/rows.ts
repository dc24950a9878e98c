import { cutText } from '@svc/contracts/cut-text'
import type { ListedRun } from '@svc/contracts/execution-request'
import type { Need } from '@svc/contracts/need'
import type { RouteOutput } from '@svc/contracts/rest'
import { asSentence } from '../../words/as-sentence.ts'
import { wordsOfNeed } from '../../words/needs.ts'
import { plain } from '../../words/plain.ts'
import { reasonsOfRun, wordsOfRun } from '../../words/runs.ts'
import type { Wording } from '../../words/states.ts'

/** One line of the wall. */
export interface WallRow {
  key: string
  wording: Wording
  /** Of an objective or mission, as people say it. */
  id: string | undefined
  title: string
  /** What there is to know of it besides. */
  detail: string
  since: string
  who: string | null
}

/** More of a text has no room on a line of any screen. */
const mostCharacters = 200

type Runs = RouteOutput<'listExecutionRequests'>

/**
 * What waits for somebody first, agents that wait before all else, then what runs, then what is queued. What waits is not
 * there a second time as a run.
 */
export function rowsOf(needs: readonly Need[], { executionRequests, untaken }: Runs): WallRow[] {
  const waiting = new Set(needs.map((need) => ('objective' in need ? need.objective.id : need.id)))
  const rest = executionRequests.filter(({ objectiveId }) => !waiting.has(objectiveId))
  const [queued, underWay] = [rest.filter(isQueued), rest.filter((run) => !isQueued(run))]
  return [
    ...needs.map(rowOfNeed),
    ...[...underWay, ...queued].map((run) => rowOfRun(run, untaken[run.id])),
  ]
}

const isQueued = ({ status }: ListedRun) => status === 'queued'

function rowOfNeed(need: Need): WallRow {
  const { wording, about, who, said } = wordsOfNeed(need)
  const { kind, id, since } = need
  // a question says itself what it is about
  const title = kind === 'question' ? '' : onLine(about.title)
  return {
    key: `${kind}/${id}`,
    wording,
    id: about.id,
    title,
    detail: onLine(said.join(' ')),
    since,
    who: kind === 'question' ? (need.runner ?? need.question.agentIdentifier) : who,
  }
}

function rowOfRun(run: ListedRun, untaken: string | undefined): WallRow {
  const { id, objective, progress, createdAt, agent, runnerLabel } = run
  const reasons = [...(untaken === undefined ? [] : [asSentence(untaken)]), ...reasonsOfRun(run)]
  const done = [
    ...(progress?.percent == null ? [] : [`${Math.round(progress.percent)} %`]),
    ...(progress?.note == null ? [] : [progress.note]),
  ]
  return {
    key: id,
    wording: wordsOfRun(run),
    id: objective.displayId,
    title: onLine(objective.title),
    detail: onLine([...reasons, ...done].join(' ')),
    since: createdAt,
    who: runnerLabel ?? agent,
  }
}

function onLine(text: string): string {
  return cutText(plain(text).replace(/\s+/g, ' ').trim(), mostCharacters)
}
