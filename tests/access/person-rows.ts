import { randomUUID } from 'node:crypto'
import { inTransaction } from '@svc/domain/commit/transaction'
import { hashPassword } from '@svc/domain/people/hash-password'
import { storePassword } from '@svc/domain/people/passwords'
import { startSignIn } from '@svc/domain/people/sign-ins'
import type { personEndpoints } from '@svc/domain/testing/operations'
import { type Input, ask } from './ask.ts'
import type { Caller } from './callers.ts'
import type { Row } from './matrix.ts'
import type { Scene } from './scene.ts'

/** What a browser asks of its person alone, asked by every caller. */
export async function fillPersonRows(
  url: string,
  callers: readonly Caller[],
  endpoints: typeof personEndpoints,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`
    const inputOf = personInputs[name] ?? (() => Promise.resolve({ id: randomUUID() }))
    const answers: string[] = []
    for (const { credentials, scene } of callers) {
      const input = await inputOf(scene)
      // some of them end it
      const given = { credentials: await credentials({ anew: true }), input }
      answers.push(await ask(url, { endpoint }, given))
    }
    rows.push({ name, answers })
  }
  return rows
}

const currentPassword = 'four quiet words here'
let hash: Promise<string> | undefined

/** The input with which each is carried out. */
export const personInputs: Readonly<Record<string, (scene: Scene) => Promise<Input>>> = {
  'DELETE /api/me/sessions/:id': async ({ person, domain }) => {
    const { userId } = await person.actor()
    const started = await inTransaction({ domain }, (tx) =>
      startSignIn(tx, domain.keys, { userId, browser: 'x', from: undefined, by: 'a test' }),
    )
    return { id: started.id }
  },
  'DELETE /api/me/identities/:id': async ({ person, domain }) => {
    const { userId } = await person.actor()
    const id = randomUUID()
    const identity = { id, user_id: userId, issuer: 'https://id.example.com', subject: id }
    await domain.db.insertInto('user_identities').values(identity).execute()
    return { id }
  },
  'PUT /api/me/password': async ({ person, domain }) => {
    const { userId } = await person.actor()
    hash ??= hashPassword(currentPassword)
    const known = await hash
    await inTransaction({ domain }, (tx) => storePassword(tx, userId, known))
    return { currentPassword, newPassword: 'another few quiet words' }
  },
}
