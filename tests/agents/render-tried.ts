import { code, page, table } from '../docs/markdown.ts'
import { readRecordings } from './recording.ts'
import { readOwnCost, sayOwnCost } from './own-cost.ts'
import { triedRows } from './tried.ts'

/** What `npm run agents -- --record` saw, as a page. */
export function triedPage(): string {
  const recordings = readRecordings()
  const [head = [], ...rows] = triedRows(recordings)
  return page(
    'Agents that were tried',
    'The real programs, installed from npm in exactly these versions, were each driven through a whole objective by `npm run agents`: a real service, a real runner, a real repository, and in place of the maker’s model a server on loopback that speaks its API and follows a plan. The agent attached, reported, wrote a file with its own tool, committed, asked, and ended; the answer started it again in its own conversation, in which it committed once more and delivered.',
    table(head, rows),
    'Memory is proportional, of all processes of the agent while it waits for its model; the start is from the spawn to the first request to the model. Both were measured on a machine of two cores, each once. Costs of a run that goes on with a conversation are what the agent says.',
    sayOwnCost(readOwnCost()),
    '## Refusals',
    'Nobody has seen these from a maker’s server: each was written after what stands beside it, and answered by the server on loopback. What the agent then printed is real.',
    table(
      ['tool', 'refusal', 'written after', 'exit code', 'what becomes of the launch'],
      recordings.flatMap(({ title, quotaWall, signedOut }) =>
        [['quota wall', quotaWall] as const, ['signed out', signedOut] as const].map(
          ([what, { source, exitCode, became }]) => [title, what, source, String(exitCode), became],
        ),
      ),
    ),
    '## What they print',
    `The recordings lie in ${code('tests/agents/recordings')}; ${code('npm test')} plays them to the runner and holds them to the versions above. Long texts in them are cut. A version that is raised in ${code('scripts/bootstrap/agent-tools.mjs')} asks for new ones: ${code('npm run agents -- --record')}.`,
  )
}
