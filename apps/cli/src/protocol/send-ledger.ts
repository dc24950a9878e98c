import { randomUUID } from 'node:crypto'
import type { Client } from '@svc/client/client'
import type { ChangedFile } from '@svc/contracts/change-rationale'
import { limits } from '@svc/contracts/limits'
import { type Cli, say } from '../cli.ts'
import type { RunFacts } from '@svc/runner/files/run-facts'
import { describeFailure } from '../output/failure.ts'
import { readRunFacts, rememberRunFacts } from './run-file.ts'

const longestMs = 20_000
/** One batch more than the service keeps, so that the service itself warns that it does not keep all. */
const mostChanges = limits.changedFilesPerObjective + limits.ledgerItemsPerBatch

/** Reports to the service what changed since the run began. Advisory: a failure is a warning. */
export async function sendLedger(cli: Cli, client: Client, input: object): Promise<void> {
  const { baseSha, objectiveId = cli.env['SVC_OBJECTIVE_ID'], ...facts } = readRunFacts(cli.env)
  const sessionKey = 'sessionKey' in input ? input.sessionKey : undefined
  if (!baseSha || !objectiveId || typeof sessionKey !== 'string') return
  try {
    const { digestOf } = await import('./ledger.ts')
    const folder = cli.env['SVC_WORKING_DIRECTORY'] || process.cwd()
    const changes = [...(await changesInOthers(cli, facts)), ...(await changesIn(folder, baseSha))]
    const ledgerDigest = digestOf(changes)
    const { ledgerSeq = 0 } = facts
    const isFirst = ledgerSeq === 0
    if ((isFirst && changes.length === 0) || ledgerDigest === facts.ledgerDigest) return
    const signal = AbortSignal.timeout(longestMs)
    const batches = batchesOf(changes.slice(-mostChanges))
    rememberRunFacts(cli.env, { ledgerSeq: ledgerSeq + batches.length })
    for (const [index, items] of batches.entries()) {
      const part = { number: index + 1, of: batches.length }
      const batch = { sessionKey, batchId: randomUUID(), seq: ledgerSeq + index, part, items }
      await client.call('recordLedgerBatch', { id: objectiveId, ...batch }, { signal })
    }
    rememberRunFacts(cli.env, { ledgerDigest })
  } catch (error) {
    say(cli, `warning: the changed files were not reported: ${describeFailure(error).line}`)
  }
}

async function changesIn(folder: string, baseSha: string): Promise<ChangedFile[]> {
  const { changedFiles } = await import('./ledger.ts')
  return changedFiles(folder, baseSha)
}

/**
 * What changed in other resources, as `<key>:<path>`. It is sent before what changed in the run's own one, since the service
 * keeps the last items.
 */
async function changesInOthers(
  cli: Cli,
  { others = [] }: Pick<RunFacts, 'others'>,
): Promise<ChangedFile[]> {
  const found = others.map(async ({ resourceKey, workingDirectory, baseSha }) => {
    try {
      const changes = await changesIn(workingDirectory, baseSha)
      return changes.map((one) => ({ ...one, filePath: `${resourceKey}:${one.filePath}` }))
    } catch (error) {
      const why = describeFailure(error).line
      say(cli, `warning: the changed files in ${resourceKey} were not reported: ${why}`)
      return []
    }
  })
  return (await Promise.all(found)).flat()
}

/** At least one: that nothing is changed any more is reported, too. */
function batchesOf(changes: ChangedFile[]): ChangedFile[][] {
  const size = limits.ledgerItemsPerBatch
  const count = Math.max(1, Math.ceil(changes.length / size))
  return Array.from({ length: count }, (_, index) =>
    changes.slice(index * size, (index + 1) * size),
  )
}
