import type { Domain } from '@svc/domain/domain'
import { titlesIn } from '../e2e/support/mission-posts.ts'
import { until } from '../e2e/support/until.ts'
import { findBroken } from '../invariants.ts'
import type { PartsLoad } from './parts-load.ts'
import type { SoakResult } from './soak.ts'

interface Judging {
  domain: Domain
  load: PartsLoad
  /** It was not interrupted: what was under way then is not lost. */
  isWhole: boolean
  say: (text: string) => void
}

/** An event that was being handed on when its dispatcher was killed goes on when the claim is over. */
const patience = { seconds: 300 }

/** Lost is what was acknowledged and is not there, doubled what is there more than once. */
export async function judgeParts({ domain, load, isWhole, say }: Judging): Promise<SoakResult> {
  const { carried, heard, receiver, posted, projectId } = load
  const ids = carried.map(({ deliveryId }) => deliveryId)
  const posts = () => Map.groupBy(receiver.posts, ({ body }) => body.id)
  if (isWhole) {
    const isThere = () =>
      posts().size >= ids.length && heard.every((one) => ids.every((id) => one.has(id)))
    // what does not come is counted below
    await until('all of it was heard', isThere, patience).catch((error: unknown) =>
      say(`  ${String(error)}`),
    )
  }
  const rows = await domain.db.selectFrom('deliveries').select('id').execute()
  const stored = countOf(rows.map(({ id }) => id))
  const titles = countOf(await titlesIn(domain, projectId))
  const sent = [...posts().values()]
  const bodies = (of: (typeof sent)[number]) => new Set(of.map(({ raw }) => raw.toString())).size
  const lost = {
    deliveries: ids.filter((id) => !stored.has(id)).length,
    'tool calls': posted.titles.filter((title) => !titles.has(title)).length,
    webhooks: isWhole ? Math.max(0, ids.length - sent.length) : 0,
    'feed lines': isWhole ? sum(heard.map((one) => ids.filter((id) => !one.has(id)).length)) : 0,
  }
  const doubled = {
    // each objective was launched once: another delivery is one that nobody made
    deliveries: isWhole ? Math.max(0, rows.length - ids.length) : 0,
    'tool calls': more(titles),
    webhooks: sum(sent.map((one) => bodies(one) - 1)) + Math.max(0, sent.length - rows.length),
    'feed lines': sum(heard.map(more)),
  }
  const broken = await findBroken(domain.db)
  for (const one of broken) say(`  broken: ${JSON.stringify(one)}`)
  return {
    figures: [
      ['lost', inWords(lost)],
      ['doubled', inWords(doubled)],
      ['posted again', `${receiver.posts.length - sent.length}, in the same words`],
      ['calls cut', `${posted.cut} of the gateway`],
      ['invariants broken', String(broken.length)],
    ],
    violations: sum(Object.values(lost)) + sum(Object.values(doubled)) + broken.length,
  }
}

function countOf(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** How many there are beyond one of each. */
const more = (counts: ReadonlyMap<string, number>) => sum([...counts.values()].map((n) => n - 1))
const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)
const inWords = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
