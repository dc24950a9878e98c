import {
  missionLifecycle,
  objectiveLifecycle,
  questionLifecycle,
  requestLifecycle,
  sessionLifecycle,
} from '@svc/domain/states/table'
import { expect, test } from 'vitest'
import type { Moves } from './model/command.ts'
import { commands } from './model/play.ts'

const lifecycles: Readonly<Record<keyof Moves, object>> = {
  mission: missionLifecycle,
  objective: objectiveLifecycle,
  request: requestLifecycle,
  session: sessionLifecycle,
  question: questionLifecycle,
}

test('every trigger of the lifecycle may be taken by a step of the model', () => {
  const taken = new Set(
    Object.values(commands).flatMap(({ moves }) =>
      // the keys of an object literal are its key type
      (Object.keys(moves) as (keyof Moves)[]).flatMap((kind) =>
        (moves[kind] ?? []).map((trigger) => `${kind} ${trigger}`),
      ),
    ),
  )
  const all = Object.entries(lifecycles).flatMap(([kind, rows]) =>
    Object.keys(rows).map((trigger) => `${kind} ${trigger}`),
  )
  expect(all.filter((trigger) => !taken.has(trigger))).toEqual([])
})
