import type { z } from 'zod'
import type { Permission } from '../permissions.ts'
import type { Counting } from '../counting.ts'

interface Endpoint {
  /** With `:name` parts, each of them a key of `params`. */
  readonly path: string
  /**
   * `any` is any valid credential, `person` a browser that is signed in, in no workspace in particular, `public`
   * whoever calls, and no credential is looked at.
   */
  readonly permission: Permission | 'any' | 'person' | 'public'
  /** Only a token of full scope may, in addition to the permission. */
  readonly fullScope?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Header names in lower case; they enter the input under those names. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType<Record<string, unknown>> | 'bytes'
  /** Bytes of the body; `limits.jsonBodyBytes` when left out. */
  readonly bodyBytes?: number
  readonly answer: z.ZodType | 'bytes' | 'none'
  readonly status: 200 | 201 | 204
  /** The status when the answer says `reused: true`. */
  readonly reusedStatus?: 200
  /** The answer may take seconds: headers at once, a space every 10 s, the JSON at the end. */
  readonly slow?: true
  /** Fields of the body whose shape is nobody's business but the handler's. */
  readonly advice?: readonly string[]
  /** Whose calls it counts among; those of its token when left out. */
  readonly counts?: Counting
}

/**
 * How a call that got no answer is sent again: `keyed` under the Idempotency-Key of its first try; `natural` as it is,
 * because it carries an identity of its own or changes nothing, so that it needs no key. One that is sent is kept.
 */
export type Repeat = 'keyed' | 'natural'

interface Reading extends Endpoint {
  readonly method: 'GET'
  readonly repeat?: 'natural'
}

interface Writing extends Endpoint {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly repeat: Repeat
}

export type EndpointContract = Reading | Writing
