import { code, page, table } from '../docs/markdown.ts'
import { type Refused, readRecordings } from './recording.ts'
import { readOwnCost, sayOwnCost } from './own-cost.ts'
import { triedRows } from './tried.ts'

function refusalRow(title: string, what: string, { source, exitCode, became }: Refused): string[] {
  return [title, what, source, String(exitCode), became]
}

/** What `npm run agents -- --record` saw, as a page. */
export function triedPage(): string {
  const recordings = readRecordings()
  const [head = [], ...rows] = triedRows(recordings)
  return page(
    'Agents that were tried',
    'The real programs, installed from npm in exactly these versions, were each driven through a whole objective by `npm run agents`: a real service, a real runner as it is installed from its package, a real repository, and in place of the maker’s model a server on loopback that speaks its API and follows a plan. The agent attached, reported, wrote a file with its own tool, committed, asked, and ended; the answer started it again in its own conversation, in which its delivery failed the check of the project, it committed once more, and delivered.',
    table(head, rows),
    'Memory is proportional, of all processes of the agent while it waits for its model; the start is from the spawn to the first request to the model. Both were measured on a machine of two cores, each once. The cost is what both runs tell of themselves: the tokens of both together were never more than those of all answers. A quota wall that is not told is tried again by the tool for many minutes, without a word. `options unknown` are those of the row, and its command that says whether somebody is signed in, which the tool does not know.',
    sayOwnCost(readOwnCost()),
    '## Refusals',
    'Nobody has seen these from a maker’s server: each was written after what stands beside it, and answered by the server on loopback. What the agent then printed is real.',
    table(
      ['tool', 'refusal', 'written after', 'exit code', 'what becomes of the launch'],
      recordings.flatMap(({ title, quotaWall, signedOut }) => [
        ...(quotaWall ? [refusalRow(title, 'quota wall', quotaWall)] : []),
        refusalRow(title, 'signed out', signedOut),
      ]),
    ),
    '## What they print',
    `The recordings lie in ${code('tests/agents/recordings')}; ${code('npm test')} plays them to the runner and holds them to the versions above. Long texts in them are cut. A version that is raised in ${code('scripts/bootstrap/agent-tools.mjs')} asks for new ones: ${code('npm run agents -- --record')}.`,
  )
}
