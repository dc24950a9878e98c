import { createOwner } from '@svc/domain/workspaces/set-up/create-owner'
import { setUpPath } from '@svc/domain/people/set-up'
import { personWith } from '@svc/domain/testing/people'
import { sendTo, testAt } from '../../testing/place.ts'

export const password = 'four quiet words here'

export const test = testAt(
  async ({ world, baseUrl }) => {
    const { token, setUpSecret } = await createOwner(world.domain, {
      workspace: { slug: 'first', name: 'First' },
      person: { email: 'olga@example.com', name: 'Owner' },
      newToken: false,
      tokenDays: 1,
    })
    const send = sendTo(baseUrl)
    const owner = personWith(world.domain, token ?? '')
    return { baseUrl, send, owner, link: baseUrl + setUpPath(setUpSecret ?? '') }
  },
  { SVC_TRUSTED_PROXIES: '127.0.0.1' },
)
