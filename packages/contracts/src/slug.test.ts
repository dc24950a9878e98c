import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test.each([
  ['Café Zürich', 'cafe-zurich'],
  ['Straße', 'strasse'],
  ['Smørrebrød & Ærø', 'smorrebrod-aero'],
  ['Łódź', 'lodz'],
  ['İzmir ışık', 'izmir-isik'],
  ['  Dark -- mode!  ', 'dark-mode'],
  ['漢字', ''],
])('%j reads %j in a slug', (text, slug) => {
  expect(slugOf(text, 40)).toBe(slug)
})

test('a slug is cut where it is too long, and never ends in a dash', () => {
  expect(slugOf('one two three', 8)).toBe('one-two')
})
