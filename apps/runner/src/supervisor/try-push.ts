import { type CheckResult, pushCheck } from '@svc/contracts/check'
import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import { findCommittedElsewhere, findUncommittedFiles } from '../git/uncommitted-work.ts'
import type { Run } from '../run/run.ts'
import { textForOthers } from '../run/text-for-others.ts'
import { workingTreesOf } from '../run/working-trees.ts'
import { pushRun, sayWhere } from './push-run.ts'

/** The sentences on files that the agent of a run has heard. */
export type Told = Set<string>

const lookMs = 60_000
const loss = 'This machine is gone after the run, and with it all that is on none of its branches.'

/**
 * Pushes what the run has committed before it delivers; what origin said is shown as what a check printed. Commits on no
 * branch that is pushed fail it, too, and so do files that were not committed, as long as the agent was not told of them:
 * some are not worth a commit.
 */
export async function tryPush(run: Run, told: Told, signal: AbortSignal): Promise<CheckResult> {
  const began = performance.now()
  const refused = [...(await pushRun(run, signal)), ...(await findLeft(run, told, signal))]
  const output = cutText(
    refused.map((text) => textForOthers(text, run.order, run.env)).join('\n'),
    limits.checkOutputCharacters,
  )
  const seconds = (performance.now() - began) / 1000
  const outcome = refused.length === 0 ? 'passed' : 'failed'
  return { name: pushCheck, outcome, exitCode: null, seconds, output }
}

async function findLeft(run: Run, told: Told, signal: AbortSignal): Promise<string[]> {
  const left: string[] = []
  for (const tree of workingTreesOf(run)) {
    const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(lookMs)]) }
    try {
      const elsewhere = await findCommittedElsewhere(tree, options)
      const files = await findUncommittedFiles(tree, options)
      const isNews = files.some((text) => !told.has(text))
      for (const text of files) told.add(text)
      left.push(...[...elsewhere, ...(isNews ? files : [])].map((text) => sayWhere(tree, text)))
    } catch (error) {
      signal.throwIfAborted()
      run.log.warn({ err: error }, 'what a push does not take along could not be found')
    }
  }
  return left.length === 0 ? [] : [...left, loss]
}
