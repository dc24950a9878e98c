import { freeText } from '@svc/contracts/free-text'
import { limits } from '@svc/contracts/limits'
import { toStorable } from '@svc/contracts/storable-text'
import { type ClaimedJob, queues } from '../jobs/jobs.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { type Composed, type Composer, instructions, materialCharacters } from './composer.ts'
import { type Presentable, endComposing, findComposing } from './presentations.ts'
import { CompositionJob } from './queue-composition.ts'

/** Seconds after each failed try; after the last one the presentation stays as it is. */
const compositionDelays = [30, 60, 120]
const longestDelay = 600

/**
 * One pass: claims one composition that is due and carries it out, outside of any transaction. Whose claim has lapsed
 * meanwhile writes nothing: of all claims of a job one ends it. Answers how many jobs it met.
 */
export async function composeDue(
  domain: Domain,
  composer: Composer,
  signal: AbortSignal,
): Promise<number> {
  if (signal.aborted) return 0
  const [job] = await domain.jobs.fetch(queues.presentation, { limit: 1 })
  if (!job) return 0
  const of = CompositionJob.parse(job.data)
  const presentable = await findComposing(domain.db, of)
  const composed = presentable && (await compose(composer, presentable, signal))
  const delay = delayOf(job, composed, signal)
  if (composed?.ok === false && !signal.aborted) {
    const { why } = composed
    domain.log.warn({ delivery: of.deliveryId, why, delay }, 'a presentation was not composed')
  }
  await inTransaction({ domain }, async (tx) => {
    if (delay !== undefined) return domain.jobs.release(tx, queues.presentation, job, delay)
    const ended = await domain.jobs.finish(tx, queues.presentation, [job])
    if (!ended.has(job.id)) return false
    await endComposing(tx, of, composed?.ok ? composed.text : undefined)
    return true
  })
  return 1
}

async function compose(
  composer: Composer,
  presentable: Presentable,
  signal: AbortSignal,
): Promise<Composed> {
  const material = JSON.stringify(presentable)
  if (material.length > materialCharacters) {
    return { ok: false, why: 'the report is too long to be composed', isFinal: true }
  }
  try {
    const composed = await composer.compose({ instructions, material, signal })
    return composed.ok ? judge(composed.text) : composed
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}

/** As strict as with what agents write. */
function judge(text: string): Composed {
  const markdown = toStorable(freeText().trim().parse(text))
  if (markdown === '') return { ok: false, why: 'the answer holds no text' }
  if (Buffer.byteLength(markdown) > limits.presentationBytes) {
    return { ok: false, why: 'the text is longer than a presentation may be' }
  }
  return { ok: true, text: markdown }
}

/** How long to wait before the next try, where it is worth one. A process that stops leaves the job to the next at once. */
function delayOf(
  job: ClaimedJob,
  composed: Composed | undefined,
  signal: AbortSignal,
): number | undefined {
  const delay = compositionDelays[job.claim]
  if (composed?.ok !== false || composed.isFinal || delay === undefined) return undefined
  if (signal.aborted) return 0
  return Math.max(delay, Math.min(composed.retryAfterSeconds ?? 0, longestDelay))
}
