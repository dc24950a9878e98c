import { describe, expect, test } from 'vitest'
import { limits } from '../../data/contracts.values.ts'
import { capturedOf } from './capture.ts'

describe('what is noted down', () => {
  test.for([
    ['one line', ' Rotate the logs ', { title: 'Rotate the logs' }],
    [
      'a line with a text',
      'Logs\n\n- rotate\n- compress\n',
      { title: 'Logs', text: '- rotate\n- compress' },
    ],
    ['a heading', '## Logs\nRotate.', { title: 'Logs', text: 'Rotate.' }],
    ['a number of an issue', '#12 is open', { title: '#12 is open' }],
    ['nothing', ' \n\t\n', undefined],
    ['a mark alone', '#', { title: '#' }],
  ] as const)('is %s', ([, typed, expected]) => {
    expect(capturedOf(typed)).toEqual(expected)
  })

  test('keeps all of a first line that is too long for a title', () => {
    const typed = `${'word '.repeat(60)}\nand more`
    const captured = capturedOf(typed)
    expect(captured).toMatchObject({ title: expect.stringMatching(/^word .*word …$/), text: typed })
    const title = captured && 'title' in captured ? captured.title : ''
    expect(title.length).toBeLessThanOrEqual(limits.titleCharacters)
    for (const shift of ['', 'x']) {
      const long = capturedOf(shift + '😀'.repeat(300))
      expect(long && 'title' in long && long.title.isWellFormed()).toBe(true)
    }
  })

  test('is no longer than an item may be', () => {
    const most = 'x'.repeat(limits.inboxTextCharacters)
    expect(capturedOf(`Title\n${most}`)).toEqual({ title: 'Title', text: most })
    const problem = { problem: 'This is 1 characters too long to be one note.' }
    expect(capturedOf(`Title\n${most}y`)).toEqual(problem)
  })
})
