import { describe, expect, test } from 'vitest'
import { markedSpans, spansOf, withoutSequences } from './ansi.ts'

const esc = '\u001b'

describe('a line of a terminal', () => {
  test.each([
    ['plain', [['plain', {}]]],
    [
      `${esc}[31mred${esc}[0m not`,
      [
        ['red', { text: 'red' }],
        [' not', {}],
      ],
    ],
    [`${esc}[1;32;41mboth`, [['both', { isBold: true, text: 'green', ground: 'red' }]]],
    [
      `${esc}[90mgrey${esc}[39mtext`,
      [
        ['grey', { text: 'grey' }],
        ['text', {}],
      ],
    ],
    [`${esc}[38;5;196mof 256`, [['of 256', { text: 'red' }]]],
    [`${esc}[38;5;244mgrey of 256`, [['grey of 256', { text: 'grey' }]]],
    [`${esc}[38;2;10;20;250mby parts`, [['by parts', { text: 'blue' }]]],
    [`${esc}[48:2:250:10:200mground`, [['ground', { ground: 'magenta' }]]],
    [
      `${esc}[30mblack${esc}[97mwhite`,
      [
        ['black', {}],
        ['white', {}],
      ],
    ],
    [`${esc}[7minverse${esc}[27m`, [['inverse', { isInverse: true }]]],
    [`${esc}[m${esc}[99999999mnothing`, [['nothing', {}]]],
  ])('has its colours: %j', (line, spans) => {
    expect(spansOf(line).map(({ text, look }) => [text, look])).toEqual(spans)
  })

  test.each([
    ['a cursor', `a${esc}[2K${esc}[1Gb`],
    ['a title', `a${esc}]0;title\u0007b`],
    ['a link', `a${esc}]8;;https://evil.example/x${esc}\\b${esc}]8;;${esc}\\`],
    ['a string of the device', `a${esc}Pq#0;2;0${esc}\\b`],
    ['a set of characters', `a${esc}(Bb`],
    ['a sequence of one byte', 'a\u009b31mb'],
    ['what is saved', `a${esc}7b`],
  ])('is without %s', (_what, line) => {
    expect(withoutSequences(line)).toBe('ab')
    expect(
      spansOf(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe('ab')
  })

  test.each([`a${esc}[31`, `a${esc}]0;title`, `a${esc}`])(
    'keeps what is no whole sequence, for it to be seen: %j',
    (line) => {
      expect(withoutSequences(line)).toBe(line)
    },
  )

  test('shows what is found in it, over its colours', () => {
    const spans = markedSpans(spansOf(`a ${esc}[31mFai${esc}[0mled, failed`), 'failed')
    expect(spans.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join('')).toBe(
      'a [Fai][led], [failed]',
    )
    expect(markedSpans(spansOf('a'), '')).toEqual([{ text: 'a', look: {}, isFound: false }])
  })
})
