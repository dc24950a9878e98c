import { z } from 'zod'
import { EventTypesAnswer } from '../event-types.ts'
import { FeedChange, feedParts, feedPaths } from '../feed.ts'
import { answerSchema } from './json-schema.ts'
import { type Operation, jsonContent, parametersIn, refusals } from './operation.ts'

/** What describes the API: for everybody, without a token. */
export const descriptionPaths = {
  openApi: '/api/openapi.json',
  docs: '/api/docs',
  eventTypes: '/api/event-types',
} as const

const anonymous = { tags: ['description'], security: [] as const }

/** What the API answers in addition to the tables of contracts, always to GET. */
export const otherOperations: Readonly<Record<string, Operation>> = {
  [feedPaths.workspace]: feed('followWorkspace', 'Follow the workspace'),
  [feedPaths.mission]: feed('followMission', 'Follow a mission', feedParts.params),
  [descriptionPaths.openApi]: {
    operationId: 'describeApi',
    summary: 'Describe the API',
    ...anonymous,
    responses: {
      200: { description: 'This document.', content: jsonContent(z.looseObject({})) },
    },
  },
  [descriptionPaths.eventTypes]: {
    operationId: 'listEventTypes',
    summary: 'List the types of events',
    ...anonymous,
    responses: {
      200: {
        description: 'Every built-in type with the JSON Schemas and examples of its payloads.',
        content: jsonContent(EventTypesAnswer),
      },
    },
  },
}

function feed(operationId: string, summary: string, params?: z.ZodObject): Operation {
  return {
    operationId,
    summary,
    description:
      'Server-sent events, one a change; the id of each is the cursor to go on from. Needs `mission:read`.',
    tags: ['feed'],
    parameters: [
      ...parametersIn('path', params),
      ...parametersIn('query', feedParts.query),
      ...parametersIn('header', feedParts.headers),
    ],
    responses: {
      200: {
        description: 'Changes as they happen.',
        content: { 'text/event-stream': { schema: answerSchema(FeedChange) } },
      },
      ...refusals,
    },
  }
}
