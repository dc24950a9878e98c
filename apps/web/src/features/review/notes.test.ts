import { describe, expect, test } from 'vitest'
import {
  type Note,
  instructionOf,
  noteSet,
  notesWithout,
  parseNotes,
  withMissing,
} from './notes.ts'

const notes: Note[] = [
  { path: 'src/b.ts', line: 7, text: 'Bound this by 500, too.' },
  { path: 'src/a.ts', line: 40, text: ' Say why.\nIn a comment. ' },
  { path: 'src/a.ts', line: 3, isGone: true, text: 'Keep this one.' },
  { path: 'docs/search.md', text: 'Is not needed.' },
]

describe('the instruction that notes make', () => {
  test('names file and line of each, in the order in which the files are shown', () => {
    expect(instructionOf(notes, ['src/b.ts', 'src/a.ts'])).toBe(
      [
        'src/b.ts:7: Bound this by 500, too.',
        'src/a.ts:3 (removed): Keep this one.',
        'src/a.ts:40: Say why.',
        '  In a comment.',
        'docs/search.md: Is not needed.',
      ].join('\n'),
    )
  })

  test('has nothing of a note that says nothing', () => {
    expect(instructionOf([{ path: 'a', line: 1, text: ' \n' }])).toBe('')
  })

  test('that somebody has begun keeps their words, and gets the notes that came later', () => {
    const [first, ...later] = notes
    const left = `Also this:\n${instructionOf(first ? [first] : [])}\n`
    expect(withMissing('', notes, [])).toBe(instructionOf(notes))
    expect(withMissing(left, notes, [])).toBe(`${left}${instructionOf(later)}`)
    expect(withMissing(left, first ? [first] : [], [])).toBe(left)
  })
})

describe('notes', () => {
  test('are one for each line of each version of a file', () => {
    const place = { path: 'src/a.ts', line: 3 }
    const more = noteSet(notes, place, 'As it is now.')
    expect(more).toHaveLength(notes.length + 1)
    const changed = noteSet(more, place, 'Otherwise.')
    expect(changed.at(-1)).toEqual({ ...place, text: 'Otherwise.' })
    expect(noteSet(changed, place, '')).toEqual(notes)
  })

  test('that were sent go, and those of another tab and what was written since stay', () => {
    const [first, ...others] = notes
    if (!first) throw new Error('there are notes')
    const since = { ...first, text: 'Written since.' }
    const elsewhere = { path: 'of/another-tab.ts', text: 'Not sent.' }
    expect(notesWithout([first, ...others, elsewhere], notes)).toEqual([elsewhere])
    expect(notesWithout([since, ...others], notes)).toEqual([since])
  })

  test('are read as they were kept, and nothing that is none', () => {
    expect(parseNotes(JSON.stringify(notes))).toEqual(notes)
    expect(parseNotes('[{"path":"a","text":"b"},{"path":1},null]')).toEqual([
      { path: 'a', text: 'b' },
    ])
    expect([parseNotes(undefined), parseNotes('{'), parseNotes('1')]).toEqual([[], [], []])
  })
})
