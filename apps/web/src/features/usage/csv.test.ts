import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('a table is text in which nothing ends a field, and no name is a formula', () => {
  const rows = [
    ['Agent', 'Runs'],
    ['a "b", c\nd', '2'],
    ['=cmd|x', '-1.5'],
    ['@sum', ''],
  ]
  expect(toCsv(rows)).toBe(
    `"Agent","Runs"\r\n"a ""b"", c\nd","2"\r\n"'=cmd|x","-1.5"\r\n"'@sum",""\r\n`,
  )
})
