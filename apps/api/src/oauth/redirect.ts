export interface Addressee {
  redirectUri: string
  state: string | undefined
  issuer: string
}

/** The client's own address, as it was registered or asked for, with the answer after what it holds already. RFC 9207. */
export function answerAddress(
  { redirectUri, state, issuer }: Addressee,
  answer: Record<string, string>,
): string {
  const parameters = new URLSearchParams({
    ...answer,
    ...(state !== undefined && { state }),
    iss: issuer,
  })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`
}
