import { authenticate } from '@svc/domain/access/authenticate'
import { inTransaction } from '@svc/domain/commit/transaction'
import type { Domain } from '@svc/domain/domain'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { createResetLinkOnServer } from '@svc/domain/members/reset-links'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { ensureMember } from '@svc/domain/workspaces/set-up/set-up'
import { enrol } from '@svc/domain/testing/enrol'
import { missionWith } from '@svc/domain/testing/plans'
import { sql } from 'kysely'

/** Who and what is there to be asked about; of people one a sample, for tries are counted by account, too. */
export interface AccessWorld {
  people: string[]
  busyPeople: string[]
  peopleWithout: string[]
  token: string
  revoked: string
  foreignMission: string
  invitation: string
  oldInvitation: string
  reset: string
  oldReset: string
}

export async function setUpAccess(
  domain: Domain,
  { baseUrl, samples }: { baseUrl: string; samples: number },
): Promise<AccessWorld> {
  const owners = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      enrol(domain, { workspace: `bench-${index}`, name: `owner-${index}`, role: 'owner' }),
    ),
  )
  const workspaces = owners.map(({ workspaceId }) => workspaceId)
  const [owner, stranger] = owners
  if (!owner || !stranger) throw new Error('there are ten owners')
  const here = [owner.workspaceId]
  const revoked = await owner.withPreset('full')
  await revoked.call('revokeCurrentUserToken', {})
  const people = peopleIn(domain, await hashPassword('four quiet words here'), samples)
  const links = linksOf(domain, { baseUrl, token: owner.token })
  return {
    people: await people('known', here, true),
    busyPeople: await people('busy', workspaces, true),
    peopleWithout: await people('without', here, false),
    token: owner.token,
    revoked: revoked.token,
    foreignMission: (await missionWith(stranger, [])).mission.id,
    oldInvitation: await links.oldInvitation(),
    invitation: await links.invitation(),
    oldReset: await links.oldReset(),
    reset: await links.reset(),
  }
}

/** As many as there are samples, with or without that password. */
function peopleIn(domain: Domain, hash: string, samples: number) {
  return async (name: string, memberOf: readonly string[], hasPassword: boolean) => {
    const emails = Array.from({ length: samples }, (_, index) => `${name}-${index}@example.com`)
    for (const email of emails) {
      const [userId = ''] = await Promise.all(
        memberOf.map((workspaceId) =>
          ensureMember(domain, { workspaceId, email, name, role: 'member' }),
        ),
      )
      if (hasPassword) await inTransaction({ domain }, (tx) => storePassword(tx, userId, hash))
    }
    return emails
  }
}

function linksOf(domain: Domain, { baseUrl, token }: { baseUrl: string; token: string }) {
  const invitation = async (email = 'new@example.com') => {
    const actor = await authenticate(domain, token, 'api')
    const order = { email, role: 'member' } as const
    return secretOf((await routeHandlers.createInvitation({ domain, baseUrl }, actor, order)).link)
  }
  const reset = async (email = 'known-0@example.com') =>
    secretOf((await createResetLinkOnServer(domain, { email, baseUrl })).link)
  const ended = { expires_at: sql<Date>`app.now() - interval '1 minute'` }
  return {
    invitation,
    reset,
    async oldInvitation() {
      const secret = await invitation('old@example.com')
      await domain.db.updateTable('invitations').set(ended).execute()
      return secret
    },
    async oldReset() {
      const secret = await reset('known-1@example.com')
      await domain.db.updateTable('reset_links').set(ended).execute()
      return secret
    },
  }
}

function secretOf(link: string): string {
  return new URL(link).searchParams.get('token') ?? ''
}
