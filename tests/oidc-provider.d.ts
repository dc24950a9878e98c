/** What is used of a package that comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface PeerClient {
    redirectUriAllowed: (uri: string) => boolean
  }

  export const errors: { InvalidTarget: new () => Error }

  export class Provider {
    constructor(issuer: string, configuration: object)
    /** Takes the metadata of RFC 7591, and throws what it refuses. */
    readonly Client: new (metadata: object) => PeerClient
    callback(): RequestListener
  }
}
