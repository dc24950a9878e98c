import { readFileSync } from 'node:fs'
import { type Rule, parseRules } from '../coverage.ts'

/** The headings of the spec in its order, each with what stands under it. */
export const headings = [
  'Mission orchestration service',
  'What the service does',
  'Resources and their fields > Mission',
  'Resources and their fields > Objective',
  'Resources and their fields > Execution request',
  'Resources and their fields > Agent session',
  'Resources and their fields > Delivery',
  'Resources and their fields > Artifact',
  'Resources and their fields > Change rationale',
  'Resources and their fields > Project resource',
  'Resources and their fields > Run Queue',
  'Resources and their fields > Webhook subscription',
  'Resources and their fields > Launch environment variables',
  'States and transitions',
  'Hosted MCP and OAuth',
  'Other REST endpoints',
  'MCP tool catalog',
  'Widgets',
  'Agent protocol operations',
  'Launch payload assembly',
  'Authentication',
  'Events',
  'Events > Delivery headers',
  'Events > Envelope',
  'Events > Delivery semantics',
  'Errors',
  'Limits',
  'Versioning',
]

export const rules: readonly Rule[] = parseRules(
  readFileSync(new URL('../requirements.tsv', import.meta.url), 'utf8'),
)

export interface Placed {
  heading: string
  /** Row or item under the heading, or nothing. */
  place: string
  id: string
  rule: string
}

/** A rule stands under each heading that its section names. */
export const placedRules: readonly Placed[] = rules.flatMap(({ id, section, rule }) =>
  section.split(' + ').map((part) => {
    const [heading = '', ...place] = part.split(', ')
    return { heading, place: place.join(', '), id, rule }
  }),
)
