import type { Domain } from '@svc/domain/domain'
import { furnish } from '@svc/domain/testing/furnished'
import { type Operation, personOperations, publicOperations } from '@svc/domain/testing/operations'
import { personWith } from '@svc/domain/testing/people'
import { signedIn } from '@svc/domain/testing/signed-in'
import { type DoorShot, doorRequest } from './door-shots.ts'
import { makeThings, signInAs } from './door-things.ts'
import { judge } from './judge.ts'
import { judgeDoor } from './judge-door.ts'
import { type Sent, requestOf } from './request.ts'
import type { Answer } from './send.ts'
import type { Shot } from './shots.ts'

/** Where a round takes place, and who of it asks. */
export interface Place {
  domain: Domain
  baseUrl: string
  userId: string
  /** Of an admin. */
  token: string
  round: number
}

/** A request that is still to be made, and what its answer must be. */
export interface Aim {
  who: string
  prepare: () => Promise<Sent>
  judge: (sent: Sent, answer: Answer) => string | undefined
}

export async function aimAtOperations(place: Place, shots: readonly Shot[]): Promise<Aim[]> {
  const { domain, token } = place
  const furnished = await furnish({ domain }, personWith(domain, token))
  return shots.map((shot) => ({
    who: `${shot.operation.name} by ${shot.via}`,
    prepare: async () =>
      requestOf(shot, { token, browser: await browserFor(place, shot.operation), furnished }),
    judge: (sent, answer) => judge(shot, sent, answer),
  }))
}

/** Undefined where a token is shown. */
async function browserFor({ domain, userId, baseUrl }: Place, operation: Operation) {
  if (publicOperations.includes(operation)) return {}
  return personOperations.includes(operation) ? signedIn(domain, { userId, baseUrl }) : undefined
}

export async function aimAtDoors(place: Place, shots: readonly DoorShot[]): Promise<Aim[]> {
  const { domain, baseUrl, userId, token, round } = place
  const network = networkOf(round, 0)
  const things = await makeThings(domain, {
    baseUrl,
    token,
    network,
    hasPassword: round % 2 === 1,
  })
  return shots.map((shot, index) => ({
    who: shot.door.name,
    prepare: async () => {
      const { about } = shot.door
      const signedIn = about && (await signIn(domain, { userId, baseUrl, about: about(things) }))
      return doorRequest(shot, { things, baseUrl, signedIn, network: networkOf(round, index + 1) })
    },
    judge: (_sent, answer) => judgeDoor(shot, { baseUrl, things }, answer),
  }))
}

/** The cookie, and the token of a form that was shown to this browser. */
async function signIn(
  domain: Domain,
  { userId, baseUrl, about }: { userId: string; baseUrl: string; about: string },
) {
  const { id, secret } = await signInAs(domain, userId)
  const { mac } = domain.keys.mac('forms', `${id} ${about}`)
  const cookie = `svc_session_${new URL(baseUrl).port}=${secret}`
  return { cookie, formToken: mac.toString('base64url') }
}

function networkOf(round: number, index: number): string {
  return `2001:db8:${(round % 65_536).toString(16)}:${index.toString(16)}::1`
}
