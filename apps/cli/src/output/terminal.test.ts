import { describe, expect, test } from 'vitest'
import { createLineSanitizer, jsonText, oneLine, sanitize } from './terminal.ts'

// [what the service sent, what a terminal gets]
const golden: [string, string][] = [
  ['plain text, ünïcödé and 漢字 and 🙂', 'plain text, ünïcödé and 漢字 and 🙂'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[2J\u001b[Hcleared', 'cleared'],
  ['title\u001b]0;owned\u0007 set', 'title set'],
  ['link \u001b]8;;https://evil.example\u001b\\here\u001b]8;;\u001b\\', 'link here'],
  ['clipboard\u001b]52;c;ZXZpbA==\u0007!', 'clipboard!'],
  ['device\u001bPq#0;2;0;0;0\u001b\\ control', 'device control'],
  ['eight bit \u009b31mred', 'eight bit red'],
  ['osc \u009d0;owned\u009cdone', 'osc done'],
  ['over\rwritten', 'over\nwritten'],
  ['back\b\b\bspace', 'backspace'],
  ['bell\u0007 nul\u0000 del\u007f nel\u0085', 'bell nul del nel'],
  ['admin\u202etxt.exe\u2066x\u2069', 'admintxt.exex'],
  ['tab\tand\nnewline', 'tab\tand\nnewline'],
]

describe('text of others', () => {
  test.each(golden)('%j is shown as %j', (given, shown) => {
    expect(sanitize(given)).toBe(shown)
  })

  test('on one line has no line breaks left', () => {
    expect(oneLine('  first\r\n\tsecond\u001b[1m\n')).toBe('first second')
  })

  test('as JSON keeps every character and shows no control character', () => {
    const value = { text: golden.map(([given]) => given).join('') }
    const text = jsonText(value)
    expect(JSON.parse(text)).toEqual(value)
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2066]/)
  })
})

test('a sequence and a character that two chunks share are taken as one', () => {
  const bytes = Buffer.from('one \u001b[31mred ü\ntwo')
  const lines = createLineSanitizer()
  const shown = [...bytes].map((byte) => lines.add(Uint8Array.of(byte))).join('')
  expect(shown).toBe('one red ü\n')
  expect(lines.end()).toBe('two')
})
