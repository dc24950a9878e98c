import { describe, expect, test } from 'vitest'
import {
  type CurrentParts,
  type WrittenParts,
  changedParts,
  partsInConflict,
  settleParts,
  writePart,
} from './edited-parts.ts'

type Part = 'name' | 'branch'
const standing = (revision: number, name: string, branch: string): CurrentParts<Part> => ({
  revision,
  texts: { name, branch },
})
const first = standing(1, 'Web', 'main')
const none: WrittenParts<Part> = new Map()
const named = writePart(none, first, { part: 'name', text: 'Shop' })

describe('a part of what is edited', () => {
  test('is changed by what is written, until that is what stood there', () => {
    expect(changedParts(named, first)).toEqual(['name'])
    const back = writePart(named, first, { part: 'name', text: 'Web' })
    expect(back).toEqual(none)
  })

  test('is in conflict where somebody else has changed the same one, and no other', () => {
    expect(partsInConflict(named, standing(2, 'Web', 'trunk'))).toEqual([])
    expect(partsInConflict(named, standing(2, 'Market', 'main'))).toEqual(['name'])
    expect(partsInConflict(named, standing(2, 'Shop', 'main'))).toEqual([])
    expect(changedParts(named, standing(2, 'Shop', 'main'))).toEqual([])
  })

  test('is settled by what was sent, and goes on where more was written since', () => {
    const both = writePart(named, first, { part: 'branch', text: 'trunk' })
    const sent = new Map<Part, string>([['name', 'Shop']])
    const saved = standing(2, 'Shop', 'main')
    expect(settleParts(named, sent, saved)).toEqual(none)
    expect(settleParts(both, sent, saved)).toEqual(new Map([['branch', both.get('branch')]]))
    const more = writePart(named, first, { part: 'name', text: 'Shop 2' })
    expect(settleParts(more, sent, saved)).toEqual(
      new Map([['name', { text: 'Shop 2', base: { revision: 2, text: 'Shop' } }]]),
    )
  })

  test('is settled as the service has written it, also where that is not letter by letter what was sent', () => {
    const spaced = writePart(none, first, { part: 'name', text: ' Shop ' })
    const sent = new Map<Part, string>([['name', ' Shop ']])
    expect(settleParts(spaced, sent, standing(2, 'Shop', 'main'))).toEqual(none)
  })
})
