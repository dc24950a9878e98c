import { restoreWorkspaceOnServer } from '@svc/domain/workspaces/restore'
import type { Log } from '@svc/process/log'
import { type DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'
import { type Streams, requireReady } from './create-owner.ts'

export const RestoreWorkspaceInput = z.object({ workspace: z.string().min(1, 'name a workspace') })

export async function runRestoreWorkspace(
  environment: DomainEnvironment,
  { log, input, say }: { log: Log; input: z.infer<typeof RestoreWorkspaceInput>; say: Streams },
): Promise<void> {
  await using domain = await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
  await requireReady(domain)
  const { workspace: slug } = input
  const { isRestored } = await restoreWorkspaceOnServer(domain, { slug })
  say.stderr(
    isRestored
      ? `${slug} is restored, with its members, tokens and webhooks. Its runs stay cancelled.\n`
      : `${slug} is not deleted: nothing was changed.\n`,
  )
}
