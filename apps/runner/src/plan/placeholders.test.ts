import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LaunchFailure } from '../launch-failure.ts'
import { commandOf, expectedWords, printed, printsItsOwn, shells } from '../testing/print-values.ts'
import { type PlaceholderValue, fillCommand, fillVariable } from './placeholders.ts'

const catalog = (values: Record<string, PlaceholderValue>) => new Map(Object.entries(values))
const hostile = [
  '',
  ' ',
  "it's",
  '"; touch /tmp/x; "',
  '$(id)',
  '`id`',
  '$HOME ${HOME} $$',
  'a\\b\\\\c\\',
  'line\nbreak\n',
  '{SVC_TMPDIR}',
  '* ? [a-z] ~ #not a comment',
  '-n',
  '%s%d',
  'ä€😀\u0001\u007f',
  "'\\''",
  '!!',
  '<<EOF',
]

describe('a value in a command', () => {
  test.each(shells)('prints its own bytes in every context: %s', (shell) => {
    for (const value of hostile)
      expect(printed(shell, commandOf(value))).toEqual(expectedWords(value))
  })

  test.each(shells)('prints its own bytes whatever it is: %s', { tags: 'large' }, (shell) => {
    expect(() => fc.assert(printsItsOwn(shell), { numRuns: 5, seed: 44 })).not.toThrow()
  })

  test('of a list is one word for each item where words are counted', () => {
    const values = catalog({ L: ['/a b:rw', "/it's:ro"], C: "/a b:rw,/it's:ro" })
    const command = fillCommand(String.raw`printf '%s\0' {L} "{L}" {C}`, values)
    expect(printed('sh', command)).toEqual([
      '/a b:rw',
      "/it's:ro",
      "/a b:rw /it's:ro",
      "/a b:rw,/it's:ro",
    ])
  })

  test('is not looked at again', () => {
    const values = catalog({ X: '{Y}', Y: 'no' })
    expect(fillCommand('echo {X}', values)).toBe("echo '{Y}'")
    expect(fillVariable('{X}', values)).toBe('{Y}')
  })

  test('leaves names alone that are not in the catalog', () => {
    expect(fillCommand('echo {NOPE} {x} ${X} {X', catalog({ X: '1' }))).toBe(
      'echo {NOPE} {x} ${X} {X',
    )
  })

  test("reaches a variable of the project by the shell's $NAME and never by {NAME}", () => {
    const command = fillCommand(String.raw`printf '%s\0' "$A {A}"`, catalog({}))
    expect(printed('sh', command, { A: '1' })).toEqual(['1 {A}'])
  })

  test('enters a variable as it is', () => {
    const values = catalog({ X: `it's "$x"`, L: ['/a', '/b'] })
    expect(fillVariable('a {X} {L} {NOPE}', values)).toBe(`a it's "$x" /a /b {NOPE}`)
  })
})

describe('a context in which no quoting is safe', () => {
  test.each([
    ['backticks', 'echo `cat {X}`'],
    ['a comment', 'true # {X}'],
    ['a comment at the start', '#{X}\ntrue'],
    ['a here-document', 'cat <<EOF\n{X}\nEOF'],
    ['a quoted text behind a here-document', "cat <<EOF\nit's {X}\nEOF"],
    ['a backslash before it', String.raw`echo \{X}`],
    ['a backslash before it in quotes', String.raw`echo "\{X}"`],
    ['a parameter expansion', 'echo "${A:-{X}}"'],
    ['arithmetic', 'echo $(( {X} ))'],
    ['an arithmetic command', '(( {X} ))'],
    ['ANSI-C quoting', "echo $'{X}'"],
    ['text behind ANSI-C quoting, which shells read differently', String.raw`echo $'it\'s' {X}`],
    ['text behind an apostrophe in an expansion', `echo "${'$'}{A:-it's}" {X} 'b'`],
    ['a substitution with case', 'echo "$(case a in a) echo {X};; esac)"'],
  ])('is refused: %s', (_, command) => {
    expect(() => fillCommand(command, catalog({ X: 'a' }))).toThrow(LaunchFailure)
  })

  test('does not matter to a command without a placeholder of ours', () => {
    const command = 'cat <<EOF # `a` {NOPE}\nEOF'
    expect(fillCommand(command, catalog({ X: 'a' }))).toBe(command)
  })

  test('ends where its construct ends', () => {
    const template = 'echo "${A:-b}" $((1+1)) `true` $$ # note\necho "{X}"'
    expect(fillCommand(template, catalog({ X: '$x' }))).toContain('echo "\\$x"')
  })

  test('is no place for a NUL character', () => {
    expect(() => fillCommand('echo {X}', catalog({ X: 'a\0b' }))).toThrow('NUL')
    expect(() => fillVariable('{X}', catalog({ X: 'a\0b' }))).toThrow('NUL')
  })
})
