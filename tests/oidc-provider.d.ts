/** What is used of a package that comes without types. */
declare module 'oidc-provider' {
  interface PeerClient {
    redirectUriAllowed: (uri: string) => boolean
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    /** Takes the metadata of RFC 7591, and throws what it refuses. */
    readonly Client: new (metadata: object) => PeerClient
    callback(): (request: object, response: object) => void
  }
}
