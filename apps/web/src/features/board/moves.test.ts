import { RefusedError, UnreachableError } from '@svc/client/errors'
import { describe, expect, test } from 'vitest'
import { boardOf, cardOf } from '../../testing/board.ts'
import { judge, nextTry } from './moves.ts'

const statuses = boardOf({ draft: [], execute: [], blocked: [] }).columns
const [from, to, elsewhere] = statuses.map(({ status }) => status)
if (!from || !to || !elsewhere) throw new Error('a board has the columns that it was made with')
const move = { card: cardOf(5), from, to, key: 'once' }

const refused = (code: 'mission_active' | 'revision_mismatch' | 'forbidden', details?: object) =>
  new RefusedError(409, {
    code,
    message: 'No.',
    details: { ...details },
    next: undefined,
    requestId: undefined,
  })

describe('a move that was not made', () => {
  test('goes out again where the mission still stands where it was taken from', () => {
    const current = { mission: { status: from, revision: 7 } }
    const judged = judge(move, refused('revision_mismatch', { current }))
    expect(judged).toMatchObject({
      why: 'resend',
      move: { ...move, card: { revision: 7 }, key: expect.not.stringMatching('once') },
    })
  })

  test('is none where somebody else has made the same one', () => {
    const current = { mission: { status: to, revision: 7 } }
    expect(judge(move, refused('revision_mismatch', { current }))).toEqual({
      why: 'done',
      mission: current.mission,
    })
  })

  test('says so where somebody else has moved it, and is made from there where a person wants it', () => {
    const current = { mission: { status: elsewhere, revision: 7 } }
    const judged = judge(move, refused('revision_mismatch', { current }))
    expect(judged).toEqual({ why: 'moved', move, current: current.mission })
    if (judged.why !== 'moved') return
    expect(nextTry(judged)).toMatchObject({ from: elsewhere, to, card: { revision: 7 } })
  })

  test('names what would have to be called off', () => {
    const objectives = [{ objectiveId: 'o', displayId: 'web:5.k7qd' }]
    const judged = judge(move, refused('mission_active', { objectives }))
    expect(judged).toEqual({ why: 'active', move, objectives })
    expect(nextTry({ why: 'active', move, objectives })).toMatchObject({ cancelRunning: true })
  })

  test('may have been made where nobody answered', () => {
    const away = new UnreachableError('away')
    expect(judge(move, away)).toEqual({ why: 'unanswered', move })
    expect(nextTry({ why: 'unanswered', move })).toEqual(move)
    const other = new UnreachableError('something else answered', { mayPass: false })
    expect(judge(move, other)).toEqual({ why: 'refused', move, error: other })
  })

  test('says what the service said of anything else', () => {
    const error = refused('forbidden')
    expect(judge(move, error)).toEqual({ why: 'refused', move, error })
    // it does not fit into an answer
    const without = refused('revision_mismatch')
    expect(judge(move, without)).toEqual({ why: 'refused', move, error: without })
  })
})
