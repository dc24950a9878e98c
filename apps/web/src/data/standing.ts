import type { Service } from './connection.ts'

/**
 * A sign-in that is refused in a workspace may be good elsewhere: then its person is no member here any more. Asked by a
 * call that names no workspace. Answers what ends the watch.
 */
export function watchStanding(
  { connection, client }: Pick<Service, 'connection' | 'client'>,
  signIn: () => string | null,
  beginAnew: () => void,
): () => void {
  let isAsking = false
  const isOpen = () => {
    const { isSignedIn, isMember } = connection.get()
    return !isSignedIn && isMember === undefined
  }
  const look = async () => {
    if (isAsking || !isOpen()) return
    isAsking = true
    const current = await currentSignIn(client)
    isAsking = false
    // somebody else by now: the service says at this address what is theirs
    if (current !== undefined && current !== signIn()) return beginAnew()
    if (isOpen()) connection.set({ ...connection.get(), isMember: current === undefined })
  }
  return connection.subscribe(() => void look())
}

/** Undefined where there is none, or nobody can say. */
async function currentSignIn(client: Pick<Service['client'], 'call'>): Promise<string | undefined> {
  try {
    const { sessions } = await client.call('listSignIns', {})
    return sessions.find(({ isCurrent }) => isCurrent)?.id
  } catch {
    return undefined
  }
}
