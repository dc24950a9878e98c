/** Somebody who is signed in by a browser, in no workspace in particular. */
export interface Person {
  userId: string
  userName: string
  email: string
  signIn: { id: string; expiresAt: Date }
}

export function isPerson(caller: object): caller is Person {
  return 'signIn' in caller
}
