import { FeedCursor, feedPaths } from '@svc/contracts/feed'
import { MissionRef } from '@svc/contracts/ids'
import { openFeed } from '@svc/domain/feed/read-feed'
import type { HttpApp } from '@svc/http/create-app'
import { failureOf } from '@svc/http/error-response'
import { type HttpContext, requestSignal } from '@svc/http/request-context'
import { eventStream } from '@svc/http/server-sent-events'
import { type FieldProblem, check, validationFailed } from '@svc/http/validation'
import { z } from 'zod'
import { type ApiParts, admit } from './parts.ts'

const MissionFeed = z.strictObject({ missionId: MissionRef, cursor: FeedCursor.optional() })
const WorkspaceFeed = z.strictObject({ cursor: FeedCursor.optional() })

/** The two live feeds. `Last-Event-ID`, or `?cursor`, says where to go on; without them it begins now. */
export function bindFeeds(app: HttpApp, parts: ApiParts): void {
  app.get(feedPaths.mission, (context) => {
    return answerFeed(context, parts, MissionFeed, { missionId: context.req.param('id') })
  })
  app.get(feedPaths.workspace, (context) => answerFeed(context, parts, WorkspaceFeed, {}))
}

async function answerFeed(
  context: HttpContext,
  parts: ApiParts,
  schema: typeof MissionFeed | typeof WorkspaceFeed,
  path: { missionId?: string },
): Promise<Response> {
  const { domain, log } = parts
  const actor = await admit(context, parts)
  const problems: FieldProblem[] = []
  const input = check(schema, { ...path, ...cursorOf(context) }, problems)
  if (!input) throw validationFailed(problems)

  const gone = new AbortController()
  const signal = AbortSignal.any([requestSignal(context, true), gone.signal])
  return eventStream(await openFeed({ domain, signal }, actor, input), {
    describeError: (error) => failureOf(error, context.get('requestId'), log).body,
    onEnd: () => gone.abort(),
  })
}

function cursorOf(context: HttpContext): { cursor?: string } {
  const cursor = context.req.header('last-event-id') ?? context.req.query('cursor')
  return cursor === undefined ? {} : { cursor }
}
