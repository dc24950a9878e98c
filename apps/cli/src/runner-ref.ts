import type { Client } from '@svc/client/client'
import { isUuid } from '@svc/contracts/ids'
import { exitCode } from './output/exit-codes.ts'
import { CommandFailure, usageFailure } from './output/failure.ts'

/** A runner by its UUID, or by its name where no other has it. One that was removed has its UUID alone. */
export async function requireRunner(
  client: Client,
  wanted: string,
): Promise<{ id: string; label: string }> {
  const { runners } = await client.call('listRunners', {})
  const [found, another] = runners.filter(({ id, label }) => id === wanted || label === wanted)
  if (another) throw usageFailure(`Several runners are called ${wanted}: name one by its UUID.`)
  if (found) return found
  if (isUuid(wanted)) return { id: wanted, label: wanted }
  const message = `No runner is called ${wanted}: see svc runner list.`
  throw new CommandFailure('not_found', message, exitCode.notFound)
}
