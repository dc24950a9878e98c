import type { Vocabulary } from './errors.ts'
import type { HttpRequest } from './request.ts'

/** The head of an answer has come; reading the body throws when the connection breaks or the signal aborts. */
export interface BegunAnswer {
  status: number
  headers: Record<string, string>
  body: AsyncIterable<Uint8Array>
}

/** What a client stands on, which is another in a browser than in Node. */
export interface Surroundings extends Vocabulary {
  /** Resolves with whatever answer there is. A redirect is not followed: the credential goes to no other address. */
  sendOnce: (baseUrl: string, request: HttpRequest, signal?: AbortSignal) => Promise<BegunAnswer>
  /** Names of the events that a feed may send. */
  feedEvents: readonly string[]
  feedPaths: { readonly mission: string; readonly workspace: string }
}
