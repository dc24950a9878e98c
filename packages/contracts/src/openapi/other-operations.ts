import { z } from 'zod'
import { EventTypesAnswer } from '../event-types.ts'
import { feedEvents, feedParts, feedPaths } from '../feed.ts'
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
      'Server-sent events; the id of each is the cursor to go on from. `start` comes first, `change` and `log` as they happen, and `reset` where the cursor is too old to go on from. An event with another name may be passed over. Needs `mission:read`, and shows what the caller may read.',
    tags: ['feed'],
    parameters: [
      ...parametersIn('path', params),
      ...parametersIn('query', feedParts.query),
      ...parametersIn('header', feedParts.headers),
    ],
    responses: {
      200: {
        description: 'The data of each event, by its name.',
        content: {
          'text/event-stream': { schema: { anyOf: Object.values(feedEvents).map(answerSchema) } },
        },
      },
      ...refusals,
    },
  }
}
